/**
 * `npm start`: installs and builds what is missing, then runs the server in the foreground, with the Node
 * version of the project.
 */
import { join } from 'node:path';
import { runScriptInForeground } from './foreground.mjs';
import { projectRoot } from './setup/project.mjs';
import { setUpCheckout } from './setup.mjs';

await setUpCheckout();
runScriptInForeground([join(projectRoot, 'server', 'main.ts')].concat(process.argv.slice(2)));
