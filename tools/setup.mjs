/**
 * Prepares a checkout to run: installs the dependencies and builds the pages, each only when missing or out of date.
 * It runs before anything is installed, on the system's Node, so this file and those in setup/ import only built-in
 * modules and use no syntax newer than Node 18.
 */
import { fileURLToPath } from 'node:url';
import { hasDependencies, installDependencies } from './setup/dependencies.mjs';
import { withLock } from './setup/lock.mjs';
import { buildPages, hasPages } from './setup/pages.mjs';
import { applyPatches, hasOtherPatches, hasPatches } from './setup/patches.mjs';

/**
 * Brings the checkout up to date; returns immediately when it already is. `pages: false` skips building the pages.
 * When a step fails, prints the reason and exits the process.
 */
export function setUp(options) {
  const wantsPages = options?.pages !== false;
  const isReady = () => hasDependencies() && hasPatches() && (!wantsPages || hasPages());
  if (isReady()) return;
  // Another process may be doing the same set-up, so each step is checked again under the lock.
  withLock(() => {
    if (!hasDependencies() || hasOtherPatches()) installDependencies();
    if (!hasPatches()) applyPatches();
    if (wantsPages && !hasPages()) buildPages();
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp();
