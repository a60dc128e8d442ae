/**
 * Runs a command of `server/commands`, such as `npm run backup`, with the Node version of the project. First
 * installs what is missing.
 */
import { join } from 'node:path';
import { runScriptInForeground } from './foreground.mjs';
import { root } from './setup/project.mjs';
import { setUp } from './setup.mjs';

setUp({ pages: false });
const [name, ...args] = process.argv.slice(2);
runScriptInForeground([join(root, 'server', 'commands', `${name}.ts`)].concat(args));
