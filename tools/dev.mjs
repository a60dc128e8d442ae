/**
 * `npm run dev`: runs the server with Vite embedded. A changed component is replaced in open pages immediately; a change
 * of the server, the contract or the Vite configuration restarts the server, and then open pages reload themselves.
 */
import { join } from 'node:path';
import { runForeground } from './foreground.mjs';
import { root } from './setup/project.mjs';
import { setUp } from './setup.mjs';

setUp({ pages: false });
process.env.NODE_ENV = 'development';
process.env.WORKERS = '1';
// In development no service worker is built, and a page cached in the browser would hide recent changes.
process.env.OFFLINE = 'off';
runForeground([join(root, 'tools', 'dev', 'supervisor.ts')]);
