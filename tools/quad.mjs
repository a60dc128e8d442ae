#!/usr/bin/env node
/**
 * The program `quad`, such as `npm run backup` or `npx quad user find smith`: installs what is missing, and for `quad
 * start` builds the pages, then runs the command of `server/commands` with the Node version of the project.
 */
import { join } from 'node:path';
import { runScriptInForeground } from './foreground.mjs';
import { nodeModulesFolder, projectRoot } from './setup/project.mjs';
import { setUpCheckout } from './setup.mjs';

const args = process.argv.slice(2);
await setUpCheckout({ pages: args.length === 1 && args[0] === 'start' });
// Relative paths in the arguments start at this folder; npm sets it to the one in which it was called.
process.env.INIT_CWD = process.env.INIT_CWD || process.cwd();
// Node keeps compiled modules here, so that a command starts in half the time.
process.env.NODE_COMPILE_CACHE =
  process.env.NODE_COMPILE_CACHE || join(nodeModulesFolder, '.cache', 'quad-compiled');
runScriptInForeground([join(projectRoot, 'server', 'commands', 'quad.ts')].concat(args));
