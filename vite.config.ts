import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { drawIcon } from './tools/build/icons.ts';

// The code that every public page runs is bundled into two files: one of libraries and one of our own code, which
// changes more often. The many small files of the default would be a tenth larger in total.
const libraryFiles =
  /\/node_modules\/(react|react-dom|react-router|scheduler|clsx|boring-avatars|@radix-ui\/react-(slot|compose-refs))\//;
// These files with all their static imports; modules they load lazily stay separate.
const sharedPageFiles =
  /\/web\/(accounts\/use-logout|shell\/(site-frame|page-body)|listings\/listing-feed|ui\/(hero-banner|section-heading)|lib\/(page-meta|use-campus|use-scroll-to-top|use-session))\.tsx?$|\/contract\/offline\.ts$/;
// The listing page uses the most icons, and every additional file adds overhead, so its icons share one file.
const listingPageIcons = /\/lucide-react\/.*\/(flag|mail|message-circle|pencil)\.m?js$/;

// A feature's public.ts only re-exports, so importing one name from it must not load the other modules.
const featurePublicFiles = /\/web\/[^/]+\/public\.ts$/;

// The avatar library lists all its styles in one table, which prevents tree shaking; we use only one style.
const avatarTable = /(\w+) = \{\s*pixel: [^}]*\bsunset: (\w+),[^}]*\}/;
const singleAvatarStyle: Plugin = {
  name: 'only-one-avatar',
  transform: {
    filter: { id: /\/node_modules\/boring-avatars\// },
    handler(code) {
      const [table, name, sunset] = avatarTable.exec(code) ?? [];
      const choice = new RegExp(`\\b${name}\\[\\w+\\] \\|\\| \\w+`);
      if (!table || !name || !choice.test(code))
        throw new Error('boring-avatars is built in another way now');
      return { code: code.replace(table, `${name} = {}`).replace(choice, `${sunset}`), map: null };
    },
  },
};

// React Router can discover routes lazily and report events to instrumentation. We use neither (react-router.config.ts,
// entry.client.tsx), so these conditions are replaced by constants and tree shaking removes the code behind them.
const constantConditions: Record<string, [condition: string, value: string]> = {
  'lib/dom/ssr/fog-of-war.js': ['!isFogOfWarEnabled(routeDiscovery, ssr)', 'true'],
  'lib/router/router.js': ['if (init.instrumentations)', 'if (false)'],
};
const trimRouter: Plugin = {
  name: 'lean-router',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /\/node_modules\/react-router\/dist\/.*\/(fog-of-war|router)\.js$/ },
    handler(code, id) {
      const [, [condition, value] = ['', '']] =
        Object.entries(constantConditions).find(([file]) => id.endsWith(file)) ?? [];
      if (!condition) return undefined;
      if (!code.includes(condition)) throw new Error('react-router is built in another way now');
      return { code: code.replaceAll(condition, value), map: null };
    },
  },
};

// The build draws the icons into the build folder; the development server draws each one on request.
const serveIconsInDevelopment: Plugin = {
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

export default defineConfig(({ command }) => ({
  plugins: [tailwindcss(), singleAvatarStyle, trimRouter, serveIconsInDevelopment, reactRouter()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          treeshake: { moduleSideEffects: [{ test: featurePublicFiles, sideEffects: false }] },
          output: {
            // The manifest, which every page loads, lists all names, so their hashes are as short as the bundler permits.
            chunkFileNames: 'assets/[name]-[hash:7].js',
            entryFileNames: 'assets/[name]-[hash:7].js',
            codeSplitting: {
              groups: [
                { name: 'libraries', test: libraryFiles, priority: 2 },
                { name: 'site', test: sharedPageFiles, priority: 1 },
                { name: 'signs', test: listingPageIcons, priority: 1 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // The built pages bundle all dependencies and always use their production code, whatever the server's NODE_ENV is.
      ...(command === 'build' && {
        resolve: { noExternal: true },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
      build: { rolldownOptions: { input: './web/entry.pages.tsx' } },
    },
  },
  // In development only: a dependency that Vite discovers late would reload every open page.
  optimizeDeps: { entries: ['web/entry.*.tsx', 'web/routes/**/*.tsx', 'web/root.tsx'] },
  // In development only: no page depends on files in these folders.
  server: {
    watch: {
      ignored: ['.data', 'backups', 'bench', 'build*', 'docs', 'e2e'].map((folder) => `**/${folder}/**`),
    },
  },
}));
