import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { drawIcon } from './tools/build/icons.ts';
import { createUnusedCodePlugin } from './tools/build/remove-unused-code.ts';
import { unusedLibraryCode } from './tools/build/unused-library-code.ts';

// The code that every public page runs is bundled into two files. One contains libraries; the other
// contains our own code, which changes more often. By default there would be many small files,
// which are a tenth larger in total.
const libraryFilePattern =
  /\/node_modules\/(react|react-dom|react-router|scheduler|clsx|@radix-ui\/react-(slot|compose-refs))\//;
// Matches modules that are bundled into the file with our own code, together with all modules that
// they import statically. Modules that they load lazily stay separate.
const sharedPageFilePattern =
  /\/web\/(accounts\/use-logout|shell\/(site-frame|page-body)|listings\/listing-feed|ui\/(hero-banner|section-heading|lazy-boundary|lazy-dialog)|lib\/(first-input|page-meta|pop-state|use-campus|use-scroll-to-top|use-session))\.tsx?$|\/contract\/(general-error-messages|pwa|paging)\.ts$|\/lucide-react\/.*\/(arrow-left|shield-check)\.m?js$/;
// The icons of the listing page are bundled into one file. This page uses the most icons, and every
// additional file costs download time.
const listingPageIconPattern =
  /\/lucide-react\/.*\/(calendar-clock|calendar-x|chevron-right|circle-check|circle-exclamation-point|flag|info|mail|message-circle|pencil|phone|share-2|ticket)\.m?js$/;

// The public.ts of a feature only re-exports names of other modules. Marking it as free of side effects lets
// a page that imports one name load only the module of this name.
const featurePublicFilePattern = /\/web\/[^/]+\/public\.ts$/;

// Matches the scripts of the moderation console. Their file names get a prefix. It tells the service worker
// which files to leave out, and tools/console-bundle.mjs which files no other page may load.
const consoleFilePattern = /\/web\/(console\/|routes\/moderation\.tsx)/;

// Serves the icons of the site from the development server, which draws each icon on request. The build
// writes them to files instead.
const iconDevServerPlugin: Plugin = {
  name: 'icons-in-development',
  apply: 'serve',
  configureServer: ({ middlewares, config }) => {
    middlewares.use((request, response, next) => {
      drawIcon(request.url, config.publicDir)
        .then((icon) => (icon ? response.setHeader('content-type', 'image/png').end(icon) : next()))
        .catch(next);
    });
  },
};

const nameChunk = ({ moduleIds }: { moduleIds: readonly string[] }): string =>
  `assets/${moduleIds.some((id) => consoleFilePattern.test(id)) ? 'console-' : ''}[name]-[hash:7].js`;

export default defineConfig(({ command }) => ({
  plugins: [
    tailwindcss(),
    createUnusedCodePlugin(unusedLibraryCode),
    iconDevServerPlugin,
    reactRouter(),
  ],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          treeshake: { moduleSideEffects: [{ test: featurePublicFilePattern, sideEffects: false }] },
          output: {
            // The hashes in file names are as short as the bundler permits, because every page loads a
            // manifest that contains the names of all files.
            chunkFileNames: nameChunk,
            entryFileNames: nameChunk,
            codeSplitting: {
              groups: [
                { name: 'libraries', test: libraryFilePattern, priority: 2 },
                { name: 'site', test: sharedPageFilePattern, priority: 1 },
                { name: 'icons', test: listingPageIconPattern, priority: 1 },
              ],
            },
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
