/**
 * Enforces the import rules of docs/architecture.md when `npm run check` runs. The first two
 * patterns match the feature folders; those of `web/` are all its folders except those that the pattern lists.
 */
const serverFeaturePattern = '^server/features/([^/]+)/';
const webFeaturePattern = '^web/(?!routes/|shell/|ui/|lib/|content/|styles/)([^/]+)/';
const testFilePattern = '\\.(test|spec)\\.(tsx?|mjs)$|/testing\\.ts$|^server/testing/|^e2e/|^bench/';

/**
 * Matches the `public.ts` of a server feature, the only file of the feature that other features may import.
 */
const publicFilePattern = '^server/(?:features/)?[^/]+/public\\.ts$';
/** Matches the files of a server feature that may import Fastify and use HTTP types. */
const httpFilePattern = '[/-](?:plugin|routes|gotrue-[a-z-]+)\\.ts$';

/**
 * The features of the server from low to high. A feature imports only those before it, and tells those after it what
 * happens by an event of `server/events.ts`. Add a new feature where the ones that it imports come before it.
 */
const serverFeatures = [
  // These need no other feature, or only the audit trail.
  'audit',
  'listing-visibility',
  'photos',
  'notifications',
  'announcements',
  'handovers',
  'schedule',
  'books',
  'forms',
  // People
  'accounts',
  'blocks',
  'profiles',
  'reviews',
  // Listings and messages
  'listings',
  'conversations',
  'saved-listings',
  'saved-searches',
  'wanted',
  'data-export',
  'account-deletion',
  // What follows from them
  'deals',
  'sale-prices',
  'moderation',
  'push',
  'retention',
  'text-backfill',
  'backup',
];
/** Patterns of the parts of `server/` from low to high. A part imports only those before it. */
const serverParts = [
  'platform/',
  '(config|settings|campus-preset|phone-numbers|price-scales)\\.ts$',
  '(app|events)\\.ts$',
  'http/',
  'mail/',
  'pages/',
  ...serverFeatures.map((feature) => `features/${feature}/`),
  'realtime/',
  '(reactions|create-app)\\.ts$',
  'demo/',
  'start/',
  '(commands/|main\\.ts$)',
];

/**
 * Returns a pattern that matches server files by the role in their names. `roles` is one role, or several
 * separated by `|`. For example, the role `repository` matches `repository.ts` and `sale-repository.ts`.
 */
const createRoleFilePattern = (roles) => `^server/.*[/-](?:${roles})[.-][^/]*$`;
const ownSourcesPattern = '^(contract|server|web|tools|e2e|bench)/';
const packageDependencyTypes = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];

const createRule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

export default {
  forbidden: [
    // Rules about imports between the top-level folders
    createRule(
      'contract-imports-nothing-of-ours',
      'Browser and server both depend on the contract, so the contract depends on neither.',
      { path: '^contract/' },
      { path: ownSourcesPattern, pathNot: '^contract/' },
    ),
    createRule(
      'contract-imports-the-schema-library-only',
      'The contract runs in the browser and on the server, so it imports Zod only: no other package and no Node module.',
      { path: '^contract/', pathNot: testFilePattern },
      { dependencyTypes: [...packageDependencyTypes, 'core'], pathNot: '(^|/)node_modules/zod/' },
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
      { path: '^(contract|server|web)/', pathNot: testFilePattern },
      { path: `^(tools|e2e|bench)/|${testFilePattern}` },
    ),

    // Rules for imports in server/
    ...serverParts.slice(0, -1).map((part, index) => ({
      ...createRule(
        'server-parts-point-down',
        'A part of the server knows only those below it; see the order of features at the top of this file.',
        { path: `^server/${part}`, pathNot: testFilePattern },
        {
          path: `^server/(${serverParts.slice(index + 1).join('|')})`,
          // The App and the events name types of the features, but call nothing in them.
          ...(part === '(app|events)\\.ts$' ? { dependencyTypesNot: ['type-only'] } : {}),
        },
      ),
    })),
    createRule(
      'every-server-part-has-a-place',
      'A new feature or part of the server needs a place in the order at the top of this file.',
      { path: '^server/', pathNot: `^server/(${serverParts.join('|')})|${testFilePattern}` },
      {},
    ),
    // In a feature, each layer may import the next one: plugin, routes -> functions -> repository -> platform/postgres
    createRule(
      'routes-see-no-row',
      'A route calls a function of its feature; it imports neither a repository nor the database.',
      { path: `${createRoleFilePattern('routes')}|${serverFeaturePattern}plugin\\.ts$` },
      {
        path: `${createRoleFilePattern('repository')}|^server/platform/postgres/(database|embedded-database|migrations)\\.ts$`,
      },
    ),
    createRule(
      'only-plugins-and-routes-see-http',
      'In a feature only the plugin and its routes may use HTTP; other functions never receive a request.',
      { path: serverFeaturePattern, pathNot: `${httpFilePattern}|${testFilePattern}` },
      { path: '^server/http/|(^|/)node_modules/(fastify|@fastify)[/-]' },
    ),
    createRule(
      'functions-cannot-reach-http',
      'Apart from plugins and routes, no file of a feature may depend on http/, directly or transitively.',
      {
        path: `${serverFeaturePattern}|${publicFilePattern}`,
        pathNot: `${httpFilePattern}|${testFilePattern}`,
      },
      { path: '^server/http/', reachable: true },
    ),
    createRule(
      'repository-decides-nothing',
      'A repository reads and writes rows; it neither takes the App nor calls a policy or another feature.',
      { path: createRoleFilePattern('repository'), pathNot: testFilePattern },
      { path: `${createRoleFilePattern('routes|plugin|policy')}|${publicFilePattern}|^server/app\\.ts$` },
    ),
    createRule(
      'policy-is-pure',
      'A policy decides from its arguments alone: it reads no data and calls no other module.',
      { path: createRoleFilePattern('policy'), pathNot: testFilePattern },
      {
        path: '^server/|^node_modules/|^[^./]+$',
        pathNot: '(^|/)node_modules/zod/',
        dependencyTypesNot: ['type-only'],
      },
    ),
    createRule(
      'feature-through-its-public-file',
      'A feature imports another feature through its public.ts only, or its sql.ts for SQL fragments.',
      { path: serverFeaturePattern, pathNot: testFilePattern },
      {
        path: serverFeaturePattern,
        pathNot: `^server/features/$1/|${publicFilePattern}|^server/features/[^/]+/sql\\.ts$`,
      },
    ),
    createRule(
      'server-parts-through-public-files',
      'Server folders that are not features import a feature through its public.ts only.',
      { path: '^server/(realtime|demo|commands)/', pathNot: testFilePattern },
      { path: serverFeaturePattern, pathNot: publicFilePattern },
    ),
    createRule(
      'mail-and-pages-through-their-public-file',
      'A feature imports mail and pages through their public.ts only.',
      { path: `${serverFeaturePattern}|^server/(demo|commands)/`, pathNot: testFilePattern },
      { path: '^server/(mail|pages|realtime)/', pathNot: publicFilePattern },
    ),
    createRule(
      'start-up-uses-public-files-and-plugins',
      'The start-up files import only the plugin.ts and public.ts of a feature.',
      { path: '^server/(start/[^/]+|[^/]+)\\.ts$', pathNot: `${testFilePattern}|^server/(app|events)\\.ts$` },
      { path: serverFeaturePattern, pathNot: `${publicFilePattern}|^server/features/[^/]+/plugin\\.ts$` },
    ),

    // Rules for imports in web/, where each layer may import the next one: routes -> features -> ui, lib ->
    // contract
    createRule(
      'web-feature-through-its-public-file',
      'A feature owns its state: another feature and the shell import only its public.ts.',
      { path: `${webFeaturePattern}|^web/shell/`, pathNot: testFilePattern },
      { path: webFeaturePattern, pathNot: '^web/$1/|^web/[^/]+/public\\.ts$' },
    ),
    createRule(
      'web-routes-use-components-and-public-files',
      'A route combines the components of features (.tsx); anything else comes from their public.ts.',
      { path: '^web/routes/|^web/root\\.tsx$', pathNot: testFilePattern },
      { path: webFeaturePattern, pathNot: '\\.tsx$|^web/[^/]+/public\\.ts$' },
    ),
    createRule(
      'web-features-below-routes',
      'A feature never imports a screen or the shell.',
      { path: webFeaturePattern, pathNot: testFilePattern },
      { path: '^web/(routes|shell)/|^web/(root|routes|entry[^/]*)\\.tsx?$' },
    ),
    createRule(
      'web-base-layers-import-no-features',
      'web/ui, web/lib and web/content import neither features nor screens.',
      { path: '^web/(ui|lib|content)/' },
      { path: `${webFeaturePattern}|^web/(routes|shell)/|^web/(root|routes|entry[^/]*)\\.tsx?$` },
    ),
    createRule(
      'ui-knows-no-data',
      'A design-system component gets its data from its props; it never loads any.',
      { path: '^web/ui/' },
      { path: '^web/lib/(api|session|socket|auth)' },
    ),
    createRule('lib-draws-nothing', 'web/lib renders nothing.', { path: '^web/lib/' }, { path: '^web/ui/' }),

    // Rules that apply to all files
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
        pathNot: `${testFilePattern}|\\.d\\.ts$|^web/(root|routes|entry[^/]*)\\.tsx?$|^web/routes/|^web/testing/clock\\.ts$|^server/(main|commands/(backup|quad))\\.ts$|^tools/|(^|/)[^/]+\\.config\\.ts$`,
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
      { path: ownSourcesPattern },
      { couldNotResolve: true, pathNot: '^virtual:|/\\+types/|[.]wasm[?]url$' },
    ),
    createRule(
      'server-runs-without-dev-packages',
      'A package that the server imports belongs to dependencies, not devDependencies.',
      { path: '^(server|contract)/', pathNot: testFilePattern },
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
