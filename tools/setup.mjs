/**
 * Prepares a checkout to run: installs the dependencies and builds the pages, each only when missing or out of date.
 * It runs before anything is installed, on the system's Node, so this file and those in setup/ import only built-in
 * modules and use no syntax newer than Node 18.
 */
import { fileURLToPath } from 'node:url';
import { hasCurrentDependencies, installDependencies } from './setup/dependencies.mjs';
import { withSetupLock } from './setup/lock.mjs';
import { assertSupportedNode } from './setup/node-version.mjs';
import { buildPages, hasCurrentPages } from './setup/pages.mjs';

/**
 * Brings the checkout up to date; returns immediately when it already is. `pages: false` skips building the pages.
 * When a step fails, prints the reason and exits the process.
 */
export async function setUpCheckout(options) {
  assertSupportedNode();
  const wantsPages = options?.pages !== false;
  const isReady = () => hasCurrentDependencies() && (!wantsPages || hasCurrentPages());
  if (isReady()) return;
  // Another process may have completed the same set-up in the meantime, so check each step again while
  // holding the set-up lock.
  await withSetupLock(async () => {
    if (!hasCurrentDependencies()) await installDependencies();
    if (wantsPages && !hasCurrentPages()) await buildPages();
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await setUpCheckout();
