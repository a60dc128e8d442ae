/** Runs a command of `server/commands`, such as `npm run backup`, on the project's own Node after the set-up. */
import { join } from 'node:path';
import { runScriptInForeground } from './foreground.mjs';
import { root } from './setup/project.mjs';
import { setUp } from './setup.mjs';

setUp({ pages: false });
const [name, ...args] = process.argv.slice(2);
runScriptInForeground([join(root, 'server', 'commands', `${name}.ts`)].concat(args));
