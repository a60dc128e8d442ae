/**
 * `npm run dev`: the server with Vite in it. Browsers take over changed components at once; a change of the server, the
 * contract or the configuration restarts the server, after which open pages reload by themselves.
 */
import { join } from 'node:path';
import { runForeground } from './foreground.mjs';
import { root } from './setup/project.mjs';
import { setUp } from './setup.mjs';

setUp({ pages: false });
process.env.NODE_ENV = 'development';
process.env.WORKERS = '1';
// There is no built service worker, and a page that a browser has cached would hide what was just changed.
process.env.OFFLINE = 'off';
runForeground([join(root, 'tools', 'dev', 'supervisor.ts')]);
