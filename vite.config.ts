import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

// What every public page runs comes in two files: one that changes with the libraries, and one that changes with
// us. In the many small ones it would come in otherwise it weighs a tenth more.
const libraries =
  /\/node_modules\/(react|react-dom|react-router|scheduler|clsx|boring-avatars|@radix-ui\/react-(slot|compose-refs))\//;
// With all that these import at once; what they load later stays apart.
const everywhere =
  /\/web\/(shell\/(site-frame|page-body|error-screen)|listings\/listing-feed|ui\/(hero-banner|section-heading)|lib\/(page-meta|use-session))\.tsx?$/;

export default defineConfig({
  plugins: [tailwindcss(), reactRouter()],
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'libraries', test: libraries, priority: 2 },
                { name: 'site', test: everywhere, priority: 1 },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // The pages carry all they need and are always the production ones, whatever the server's NODE_ENV is.
      resolve: { noExternal: true },
      define: { 'process.env.NODE_ENV': '"production"' },
      build: { rolldownOptions: { input: './web/entry.pages.ts' } },
    },
  },
});
