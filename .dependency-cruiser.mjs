/**
 * The import rules (docs/architecture.md), as `npm run check` enforces them.
 * Every folder of `server/` or `web/` that these two patterns do not exclude is a feature.
 */
const serverFeature =
  '^server/(?!platform/|http/|mail/|realtime/|pages/|demo/|commands/|testing/|migrations/)([^/]+)/';
const webFeature = '^web/(?!routes/|shell/|ui/|lib/|content/|styles/)([^/]+)/';
const tests = '\\.(test|spec)\\.(tsx?|mjs)$|/testing\\.ts$|^server/testing/|^e2e/|^bench/';

/** `public.ts`: the only file of a feature that other folders may import. */
const publicFile = '^server/[^/]+/public\\.ts$';
/** The files of a feature that may use HTTP types and Fastify. */
const httpFile = '/(?:plugin|routes|gotrue-[a-z]+)\\.ts$';

/** Returns a pattern for server files with one of these roles, a word of the file name: `service.ts`, `photo-service.ts`. */
const filesWithRole = (roles) => `^server/.*[/-](?:${roles})[.-][^/]*$`;
const ownSources = '^(contract|server|web|tools|e2e|bench)/';
const packageTypes = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];

const createRule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export default {
  forbidden: [
    // Imports between the top-level folders
    createRule(
      'contract-imports-nothing-of-ours',
      'Browser and server both depend on the contract, so the contract depends on neither.',
      { path: '^contract/' },
      { path: ownSources, pathNot: '^contract/' },
    ),
    createRule(
      'contract-imports-the-schema-library-only',
      'The contract runs in the browser and on the server, so it imports Zod only: no other package and no Node module.',
      { path: '^contract/', pathNot: tests },
      { dependencyTypes: [...packageTypes, 'core'], pathNot: '(^|/)node_modules/zod/' },
    ),
    createRule(
      'web-never-server',
      'Browser code calls the server over HTTP; it never imports server code.',
      { path: '^web/' },
      { path: '^server/' },
    ),
    createRule(
      'server-never-web',
      'The server loads the built pages, not their sources.',
      { path: '^server/' },
      { path: '^web/' },
    ),
    createRule(
      'product-never-tooling',
      'Production code never imports tools, tests or benchmarks.',
      { path: '^(contract|server|web)/', pathNot: tests },
      { path: `^(tools|e2e|bench)/|${tests}` },
    ),

    // Server: plugin, routes -> service -> repository -> platform/postgres
    createRule(
      'routes-see-no-row',
      'A route calls its service; it imports neither a repository nor the database.',
      { path: `${filesWithRole('routes')}|${serverFeature}plugin\\.ts$` },
      {
        path: `${filesWithRole('repository')}|^server/platform/postgres/(database|embedded-database|migrations)\\.ts$`,
      },
    ),
    createRule(
      'only-plugins-and-routes-see-http',
      'In a feature only the plugin and its routes may use HTTP; a service never receives a request.',
      { path: serverFeature, pathNot: `${httpFile}|${tests}` },
      { path: '^server/http/|(^|/)node_modules/(fastify|@fastify)[/-]' },
    ),
    createRule(
      'services-cannot-reach-http',
      'No public.ts, service, repository or policy may depend on http/, directly or transitively.',
      { path: `${publicFile}|${filesWithRole('service|repository|policy')}`, pathNot: tests },
      { path: '^server/http/', reachable: true },
    ),
    createRule(
      'repository-decides-nothing',
      'A repository reads and writes rows; it calls neither a service nor a policy.',
      { path: filesWithRole('repository'), pathNot: tests },
      { path: `${filesWithRole('routes|plugin|service|policy')}|${publicFile}` },
    ),
    createRule(
      'policy-is-pure',
      'A policy decides from its arguments alone: it reads no data and calls no other module.',
      { path: filesWithRole('policy'), pathNot: tests },
      {
        path: '^server/|^node_modules/|^[^./]+$',
        pathNot: '(^|/)node_modules/zod/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    createRule(
      'feature-through-its-public-file',
      'A feature imports another feature through its public.ts only, or its sql.ts for SQL fragments.',
      { path: serverFeature, pathNot: tests },
      { path: serverFeature, pathNot: `^server/$1/|${publicFile}|^server/[^/]+/sql\\.ts$` },
    ),
    createRule(
      'server-parts-through-public-files',
      'Server folders that are not features import a feature through its public.ts only.',
      { path: '^server/(platform|http|mail|realtime|pages|demo|commands)/', pathNot: tests },
      { path: serverFeature, pathNot: publicFile },
    ),
    createRule(
      'mail-and-pages-through-their-public-file',
      'A feature imports mail and pages through their public.ts only, and never imports realtime.',
      { path: `${serverFeature}|^server/(demo|commands)/`, pathNot: tests },
      { path: '^server/(mail|pages|realtime)/', pathNot: publicFile },
    ),
    createRule(
      'start-up-uses-public-files-and-plugins',
      'The start-up files import only the plugin.ts and public.ts of a feature.',
      { path: '^server/[^/]+\\.ts$', pathNot: tests },
      { path: serverFeature, pathNot: `${publicFile}|^server/[^/]+/plugin\\.ts$` },
    ),
    createRule(
      'platform-knows-no-business',
      'Platform code is independent of features and of HTTP.',
      { path: '^server/platform/', pathNot: tests },
      { path: '^server/', pathNot: '^server/platform/' },
    ),

    // Web: routes -> features -> ui, lib -> contract
    createRule(
      'web-feature-through-its-public-file',
      'A feature owns its state: another feature and the shell import only its public.ts.',
      { path: `${webFeature}|^web/shell/`, pathNot: tests },
      { path: webFeature, pathNot: '^web/$1/|^web/[^/]+/public\\.ts$' },
    ),
    createRule(
      'web-routes-use-components-and-public-files',
      'A route combines the components of features (.tsx); anything else comes from their public.ts.',
      { path: '^web/routes/|^web/root\\.tsx$' },
      { path: webFeature, pathNot: '\\.tsx$|^web/[^/]+/public\\.ts$' },
    ),
    createRule(
      'web-features-below-routes',
      'A feature never imports a screen or the shell.',
      { path: webFeature },
      { path: '^web/(routes|shell)/|^web/(root|routes|entry[^/]*)\\.tsx?$' },
    ),
    createRule(
      'web-base-layers-import-no-features',
      'web/ui, web/lib and web/content import neither features nor screens.',
      { path: '^web/(ui|lib|content)/' },
      { path: `${webFeature}|^web/(routes|shell)/|^web/(root|routes|entry[^/]*)\\.tsx?$` },
    ),
    createRule(
      'ui-knows-no-data',
      'A design-system component gets its data from its props; it never loads any.',
      { path: '^web/ui/' },
      { path: '^web/lib/(api|session|socket|auth)' },
    ),
    createRule('lib-draws-nothing', 'web/lib renders nothing.', { path: '^web/lib/' }, { path: '^web/ui/' }),

    // Rules for all files
    createRule(
      'no-cycles',
      'Files in an import cycle cannot be understood or loaded separately.',
      {},
      { circular: true },
    ),
    createRule(
      'no-orphans',
      'A file without any import from or to it is unused.',
      {
        orphan: true,
        pathNot: `${tests}|\\.d\\.ts$|^web/(root|routes|entry[^/]*)\\.tsx?$|^web/routes/|^server/(main|commands/[^/]+)\\.ts$|^tools/|(^|/)[^/]+\\.config\\.ts$`,
      },
      {},
    ),
    ...['from', 'to'].map((side) => ({
      name: `no-catch-all-names-${side}`,
      comment: 'Name a file after its content; utils, helpers, common and misc describe none.',
      severity: 'error',
      from: {},
      to: {},
      [side]: { path: '(^|[/-])(utils?|helpers?|common|misc)[./-]', pathNot: 'node_modules' },
    })),
    ...['from', 'to'].map((side) => ({
      name: `no-barrels-${side}`,
      comment: 'Import from the file that declares a name, not from an index file.',
      severity: 'error',
      from: {},
      to: {},
      [side]: { path: '(^|/)index\\.[cm]?[jt]sx?$', pathNot: '^web/routes/|node_modules' },
    })),
    createRule(
      'resolvable',
      'Every import resolves to a file or package.',
      { path: ownSources },
      { couldNotResolve: true, pathNot: '^virtual:|/\\+types/' },
    ),
    createRule(
      'server-runs-without-dev-packages',
      'A package that the server imports belongs to dependencies, not devDependencies.',
      { path: '^(server|contract)/', pathNot: tests },
      { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    combinedDependencies: false,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
    skipAnalysisNotInRules: false,
  },
};
