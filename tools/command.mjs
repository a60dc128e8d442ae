/**
 * Runs a command of `server/commands`, such as `npm run backup`, with the Node version of the project. First
 * installs what is missing.
 */
import { join } from 'node:path';
import { runScriptInForeground } from './foreground.mjs';
import { projectRoot } from './setup/project.mjs';
import { setUpCheckout } from './setup.mjs';

await setUpCheckout({ pages: false });
const [name, ...args] = process.argv.slice(2);
runScriptInForeground([join(projectRoot, 'server', 'commands', `${name}.ts`)].concat(args));
