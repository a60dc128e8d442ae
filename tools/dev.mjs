/**
 * `npm run dev`: runs the server with Vite embedded. Open pages show a changed component immediately. A
 * change to the server, the contract or the Vite configuration restarts the server, after which open pages
 * reload automatically.
 */
import { join } from 'node:path';
import { runScriptInForeground } from './foreground.mjs';
import { projectRoot } from './setup/project.mjs';
import { setUpCheckout } from './setup.mjs';

await setUpCheckout({ pages: false });
process.env.NODE_ENV = 'development';
process.env.QUAD_WORKERS = '1';
// Turns off offline support: no service worker is built in development, and pages cached in the browser would
// hide recent changes.
process.env.QUAD_OFFLINE = 'off';
runScriptInForeground([join(projectRoot, 'tools', 'dev', 'supervisor.ts')]);
