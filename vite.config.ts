import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

// Modules that are bundled into one file with everything that they import. A module belongs to the first group that
// matches. By default, the bundler would load them as about 150 small files: each compresses on its own, and every
// page contains the names of all files that any screen needs at first.
const chunkGroups = [
  {
    // React, the root of every page, the grid of listings, and small parts of most public pages.
    name: 'common',
    test: /\/(node_modules\/react(-dom|-router)?\/|web\/(root|shell\/page-body|listings\/(listing-grid|share-button)|lib\/(first-input|history-entry-state|page-meta)|ui\/(alert|hero-banner|(page|section)-heading))\.tsx?$|contract\/text-direction\.ts$|lucide-react\/.*\/(arrow-right|bookmark|calendar-clock|chevron-right|flag|mail|map-pin|shield-check|ticket)\.mjs$)/,
  },
  // What a visitor needs first after an interaction, without what private screens share.
  { name: 'interaction', test: /\/(contract\/search-text|web\/ui\/use-close-on-back)\.ts$|\/tslib\// },
  { name: 'dialog', test: /\/(web\/ui\/(confirm-|form-)?dialog\.tsx$|@radix-ui\/react-slot\/)/ },
  {
    // What most private screens share: calls with their schemas, cached private data, and forms.
    name: 'private',
    test: /\/(web\/(accounts\/(account-card|session-actions)|deals\/(refresh-deals|use-now)|lib\/(api|download|photo-upload|query-client|query-keys|return-path|stored-files|use-contract-form|use-form-draft|use-has-left|use-protected-image|uuid)|listings\/(own-photo|publication-toast)|profiles\/own-profile|ui\/(field|input|loading-or-failed|new-password-field|online-only-button|page-spinner|progress-bar|select|textarea))\.tsx?|contract\/(deal-alerts|deal-status|realtime)\.ts|@tanstack\/react-query\/.*\/((use)?(InfiniteQ|Q|q)uery(Options)?|useMutation)\.js)$/,
  },
];

// The public.ts of a feature only re-exports names of other modules. Marking it as free of side effects lets
// a page that imports one name load only the module of this name.
const featurePublicFilePattern = /\/web\/[^/]+\/public\.ts$/;

// Matches the scripts of the moderation console. Their file names get a prefix. It tells the service worker
// which files to leave out, and tools/console-bundle.mjs which files no other page may load.
const consoleFilePattern = /\/web\/(console\/|routes\/moderation\.tsx)/;

const nameChunk = ({ moduleIds }: { moduleIds: readonly string[] }): string =>
  `assets/${moduleIds.some((id) => consoleFilePattern.test(id)) ? 'console-' : ''}[name]-[hash].js`;

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), reactRouter()],
  // A file left in such a folder would be served beside the route that has its name, which ends the start.
  publicDir: false,
  environments: {
    client: {
      build: {
        rolldownOptions: {
          treeshake: { moduleSideEffects: [{ test: featurePublicFilePattern, sideEffects: false }] },
          output: {
            chunkFileNames: nameChunk,
            entryFileNames: nameChunk,
            codeSplitting: { groups: chunkGroups },
          },
        },
      },
    },
    ssr: {
      // Builds a server bundle of the pages that contains all dependencies in their production version,
      // whatever NODE_ENV the server has.
      ...(command === 'build' && {
        resolve: { noExternal: true },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
      build: { rolldownOptions: { input: './web/entry.pages.tsx' } },
    },
  },
  // In development, Vite reloads every open page when it finds an imported package that it has not
  // bundled yet. It therefore scans these files for imported packages when it starts.
  optimizeDeps: { entries: ['web/entry.*.tsx', 'web/routes/**/*.tsx', 'web/root.tsx'] },
  // The development server does not watch folders on which no page depends.
  server: {
    watch: {
      ignored: ['.data', 'backups', 'bench', 'build*', 'docs', 'e2e'].map((folder) => `**/${folder}/**`),
    },
  },
}));
