/**
 * `npm start`: installs and builds what is missing, then runs the server in the foreground, with the Node
 * version of the project.
 */
import { join } from 'node:path';
import { runScriptInForeground } from './foreground.mjs';
import { root } from './setup/project.mjs';
import { setUp } from './setup.mjs';

setUp();
runScriptInForeground([join(root, 'server', 'main.ts')].concat(process.argv.slice(2)));
