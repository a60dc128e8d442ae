import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { drawIcon } from './tools/build/icons.ts';

// What every public page runs comes in two files: one that changes with the libraries, and one that changes with
// us. In the many small ones it would come in otherwise it weighs a tenth more.
const libraries =
  /\/node_modules\/(react|react-dom|react-router|scheduler|clsx|boring-avatars|@radix-ui\/react-(slot|compose-refs))\//;
// With all that these import at once; what they load later stays apart.
const everywhere =
  /\/web\/(accounts\/use-logout|shell\/(site-frame|page-body)|listings\/listing-feed|ui\/(hero-banner|section-heading)|lib\/(page-meta|use-campus|use-scroll-to-top|use-session))\.tsx?$|\/contract\/offline\.ts$/;
// The page of a listing has more signs than any other, and each file of its own weighs something.
const signsOfAListing = /\/lucide-react\/.*\/(flag|mail|message-circle|pencil)\.m?js$/;

// A public file of a feature only re-exports, so importing one name from it must not load the others.
const publicFiles = /\/web\/[^/]+\/public\.ts$/;

// The avatar library keeps all its kinds of pictures in one table, from which nothing can be left out; we draw one.
const avatarTable = /(\w+) = \{\s*pixel: [^}]*\bsunset: (\w+),[^}]*\}/;
const onlyOneAvatar: Plugin = {
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

// The router can learn its routes bit by bit and report what it does; ours names all routes at once and reports
// nothing (react-router.config.ts, entry.client.tsx), and what is never asked for can be left out.
const neverAsked: Record<string, [part: string, answer: string]> = {
  'lib/dom/ssr/fog-of-war.js': ['!isFogOfWarEnabled(routeDiscovery, ssr)', 'true'],
  'lib/router/router.js': ['if (init.instrumentations)', 'if (false)'],
};
const leanRouter: Plugin = {
  name: 'lean-router',
  applyToEnvironment: ({ name }) => name === 'client',
  transform: {
    filter: { id: /\/node_modules\/react-router\/dist\/.*\/(fog-of-war|router)\.js$/ },
    handler(code, id) {
      const [, [part, answer] = ['', '']] =
        Object.entries(neverAsked).find(([file]) => id.endsWith(file)) ?? [];
      if (!part) return undefined;
      if (!code.includes(part)) throw new Error('react-router is built in another way now');
      return { code: code.replaceAll(part, answer), map: null };
    },
  },
};

// The build draws the icons into its folder; the development server draws them when they are requested.
const iconsInDevelopment: Plugin = {
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
  plugins: [tailwindcss(), onlyOneAvatar, leanRouter, iconsInDevelopment, reactRouter()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          treeshake: { moduleSideEffects: [{ test: publicFiles, sideEffects: false }] },
          output: {
            codeSplitting: {
              groups: [
                { name: 'libraries', test: libraries, priority: 2 },
                { name: 'site', test: everywhere, priority: 1 },
                { name: 'signs', test: signsOfAListing, priority: 1 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // The pages carry all they need and are always the production ones, whatever the server's NODE_ENV is.
      ...(command === 'build' && {
        resolve: { noExternal: true },
        define: { 'process.env.NODE_ENV': '"production"' },
      }),
      build: { rolldownOptions: { input: './web/entry.pages.tsx' } },
    },
  },
  // In development only: dependencies that are found late reload every open page.
  optimizeDeps: { entries: ['web/entry.*.tsx', 'web/routes/**/*.tsx', 'web/root.tsx'] },
  // In development only: no page is made of these.
  server: {
    watch: {
      ignored: ['.data', 'backups', 'bench', 'build*', 'docs', 'e2e'].map((folder) => `**/${folder}/**`),
    },
  },
}));
