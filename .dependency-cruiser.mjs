/**
 * The import rules (docs/architecture.md), as `npm run check` enforces them.
 * A folder of `server/` or `web/` that is not named here as something else is a feature: one noun.
 */
const serverFeature =
  '^server/(?!platform/|http/|mail/|realtime/|pages/|demo/|commands/|testing/|migrations/)([^/]+)/';
const webFeature = '^web/(?!routes/|shell/|ui/|lib/|content/|styles/)([^/]+)/';
const tests = '\\.(test|spec)\\.(tsx?|mjs)$|/testing\\.ts$|^server/testing/|^e2e/|^bench/';

/** The one file of a folder that other folders may import. */
const publicFile = '^server/[^/]+/public\\.ts$';
/** The files of a feature that know HTTP. */
const httpFile = '/(?:plugin|routes|gotrue-[a-z]+)\\.ts$';

/** `service.ts`, `photo-service.ts`, `service-of-photos.ts`: the role is a word of the file's name. */
const role = (names) => `^server/.*[/-](?:${names})[.-][^/]*$`;
const ours = '^(contract|server|web|tools|e2e|bench)/';
const packages = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export default {
  forbidden: [
    // Between the top-level folders
    forbid(
      'contract-imports-nothing-of-ours',
      'The contract is what the others agree on; it knows none of them.',
      { path: '^contract/' },
      { path: ours, pathNot: '^contract/' },
    ),
    forbid(
      'contract-imports-the-schema-library-only',
      'The contract runs in the browser and on the server: no other package, nothing of Node.',
      { path: '^contract/', pathNot: tests },
      { dependencyTypes: [...packages, 'core'], pathNot: '(^|/)node_modules/zod/' },
    ),
    forbid(
      'web-never-server',
      'The browser talks to the server over HTTP.',
      { path: '^web/' },
      { path: '^server/' },
    ),
    forbid(
      'server-never-web',
      'The server loads the built pages, not their sources.',
      { path: '^server/' },
      { path: '^web/' },
    ),
    forbid(
      'product-never-tooling',
      'What runs for people imports nothing made for us.',
      { path: '^(contract|server|web)/', pathNot: tests },
      { path: `^(tools|e2e|bench)/|${tests}` },
    ),

    // Server: plugin, routes -> service -> repository -> platform/postgres
    forbid(
      'routes-see-no-row',
      'A route asks its service; it sees neither a repository nor the database.',
      { path: `${role('routes')}|${serverFeature}plugin\\.ts$` },
      {
        path: `${role('repository')}|^server/platform/postgres/(database|embedded-database|migrations)\\.ts$`,
      },
    ),
    forbid(
      'only-plugins-and-routes-see-http',
      'In a feature only the plugin and its routes know HTTP; a service never sees a request.',
      { path: serverFeature, pathNot: `${httpFile}|${tests}` },
      { path: '^server/http/|(^|/)node_modules/(fastify|@fastify)[/-]' },
    ),
    forbid(
      'services-cannot-reach-http',
      'What other folders use of a feature, of mail and of the pages leads to no HTTP, in any number of steps.',
      { path: `${publicFile}|${role('service|repository|policy')}`, pathNot: tests },
      { path: '^server/http/', reachable: true },
    ),
    forbid(
      'repository-decides-nothing',
      'A repository reads and writes; it asks neither a service nor a policy.',
      { path: role('repository'), pathNot: tests },
      { path: `${role('routes|plugin|service|policy')}|${publicFile}` },
    ),
    forbid(
      'policy-is-pure',
      'A policy answers from what it is given: it reads nothing and calls no one.',
      { path: role('policy'), pathNot: tests },
      {
        path: '^server/|^node_modules/|^[^./]+$',
        pathNot: '(^|/)node_modules/zod/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'feature-through-its-public-file',
      'Another feature is used through its public.ts only; its sql.ts is for the statements of others.',
      { path: serverFeature, pathNot: tests },
      { path: serverFeature, pathNot: `^server/$1/|${publicFile}|^server/[^/]+/sql\\.ts$` },
    ),
    forbid(
      'server-parts-through-public-files',
      'What is no feature uses one through its public.ts only.',
      { path: '^server/(platform|http|mail|realtime|pages|demo|commands)/', pathNot: tests },
      { path: serverFeature, pathNot: publicFile },
    ),
    forbid(
      'mail-and-pages-through-their-public-file',
      'A feature uses mail and the pages through their public.ts only, and live messages not at all.',
      { path: `${serverFeature}|^server/(demo|commands)/`, pathNot: tests },
      { path: '^server/(mail|pages|realtime)/', pathNot: publicFile },
    ),
    forbid(
      'start-up-uses-public-files-and-plugins',
      'Where the server is assembled, the inside of a feature stays inside.',
      { path: '^server/[^/]+\\.ts$', pathNot: tests },
      { path: serverFeature, pathNot: `${publicFile}|^server/[^/]+/plugin\\.ts$` },
    ),
    forbid(
      'platform-knows-no-business',
      'Technology knows nothing of what it is used for.',
      { path: '^server/platform/', pathNot: tests },
      { path: '^server/', pathNot: '^server/platform/' },
    ),

    // Web: routes -> features -> ui, lib -> contract
    forbid(
      'web-feature-through-its-public-file',
      'A feature owns its state: another feature and the shell use only what its public.ts exports.',
      { path: `${webFeature}|^web/shell/`, pathNot: tests },
      { path: webFeature, pathNot: '^web/$1/|^web/[^/]+/public\\.ts$' },
    ),
    forbid(
      'web-routes-use-components-and-public-files',
      'A route combines the components of features (.tsx); anything else comes from their public.ts.',
      { path: '^web/routes/|^web/root\\.tsx$' },
      { path: webFeature, pathNot: '\\.tsx$|^web/[^/]+/public\\.ts$' },
    ),
    forbid(
      'web-features-below-routes',
      'A feature knows no screen.',
      { path: webFeature },
      { path: '^web/(routes|shell)/|^web/(root|routes|entry[^/]*)\\.tsx?$' },
    ),
    forbid(
      'web-ground-floor',
      'The design system, the library and the copy know neither features nor screens.',
      { path: '^web/(ui|lib|content)/' },
      { path: `${webFeature}|^web/(routes|shell)/|^web/(root|routes|entry[^/]*)\\.tsx?$` },
    ),
    forbid(
      'ui-knows-no-data',
      'The design system is drawn from its props.',
      { path: '^web/ui/' },
      { path: '^web/lib/(api|session|socket|auth)' },
    ),
    forbid('lib-draws-nothing', 'The library has no look.', { path: '^web/lib/' }, { path: '^web/ui/' }),

    // Everywhere
    forbid('no-cycles', 'A cycle has no bottom.', {}, { circular: true }),
    forbid(
      'no-orphans',
      'A file nothing imports, and that imports nothing, is forgotten.',
      {
        orphan: true,
        pathNot: `${tests}|\\.d\\.ts$|^web/(root|routes|entry[^/]*)\\.tsx?$|^web/routes/|^server/(main|commands/[^/]+)\\.ts$|^tools/|(^|/)[^/]+\\.config\\.ts$`,
      },
      {},
    ),
    ...['from', 'to'].map((side) => ({
      name: `no-drawer-names-${side}`,
      comment: 'A name says what is inside; utils, helpers, common and misc say nothing.',
      severity: 'error',
      from: {},
      to: {},
      [side]: { path: '(^|[/-])(utils?|helpers?|common|misc)[./-]', pathNot: 'node_modules' },
    })),
    ...['from', 'to'].map((side) => ({
      name: `no-barrels-${side}`,
      comment: 'Import a thing from where it is.',
      severity: 'error',
      from: {},
      to: {},
      [side]: { path: '(^|/)index\\.[cm]?[jt]sx?$', pathNot: '^web/routes/|node_modules' },
    })),
    forbid(
      'resolvable',
      'Every import leads somewhere.',
      { path: ours },
      { couldNotResolve: true, pathNot: '^virtual:|/\\+types/' },
    ),
    forbid(
      'server-runs-without-dev-packages',
      'What the server imports is a dependency, not a devDependency.',
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
