/**
 * Makes a checkout ready to run: installs the dependencies and builds the pages, each only when missing or
 * out of date. Runs before anything is installed, on whatever Node is there: this file and those in setup/
 * use Node's own modules only, and no syntax newer than Node 18.
 */
import { fileURLToPath } from 'node:url';
import { hasDependencies, installDependencies } from './setup/dependencies.mjs';
import { withLock } from './setup/lock.mjs';
import { buildPages, hasPages } from './setup/pages.mjs';
import { applyPatches, hasOtherPatches, hasPatches } from './setup/patches.mjs';

/**
 * Brings the checkout up to date and returns at once when it is. `pages: false` leaves the build out.
 * Ends the process, with the reason, when a step fails.
 */
export function setUp(options) {
  const wantsPages = options?.pages !== false;
  const isReady = () => hasDependencies() && hasPatches() && (!wantsPages || hasPages());
  if (isReady()) return;
  // Another set-up may run, or may just have done the work.
  withLock(() => {
    if (!hasDependencies() || hasOtherPatches()) installDependencies();
    if (!hasPatches()) applyPatches();
    if (wantsPages && !hasPages()) buildPages();
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setUp();
