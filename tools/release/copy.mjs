import { constants, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hasDependencies } from '../setup/dependencies.mjs';
import { hasPatches } from '../setup/patches.mjs';
import { modules, root } from '../setup/project.mjs';

/** What a checkout has of its own: state, caches and results. Dependencies are copied only when they are current. */
const ownEntries = new Set([
  '.data',
  '.git',
  '.react-router',
  '.setup.lock',
  'backups',
  'build.next',
  'build.previous',
  'node_modules',
  'playwright-report',
  'test-results',
]);
const caches = new Set(['.cache', '.vite', '.vite-child-compiler', '.vite-temp']);

// Copies, not hard links: npm writes some files of node_modules in place. Where the file system can, they share blocks.
const copyOptions = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE };

/** Copies this checkout into a new folder, with what is installed and built as far as that is current. */
export function copyCheckout(folder) {
  if (existsSync(folder)) throw new Error(`${folder} already exists`);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(root)) {
    if (!ownEntries.has(name)) cpSync(join(root, name), join(folder, name), copyOptions);
  }
  if (!hasDependencies() || !hasPatches()) return;
  const filter = (path) => !caches.has(basename(path));
  cpSync(modules, join(folder, 'node_modules'), { ...copyOptions, filter });
}
