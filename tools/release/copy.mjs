import { constants, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hasDependencies } from '../setup/dependencies.mjs';
import { hasPatches } from '../setup/patches.mjs';
import { modules, root } from '../setup/project.mjs';

/** Entries of a checkout that are not copied: state, caches and results. node_modules is copied separately. */
const excludedEntries = new Set([
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
const cacheFolders = new Set(['.cache', '.vite', '.vite-child-compiler', '.vite-temp']);

// Copies instead of hard links, because npm changes some files of node_modules in place. Copy-on-write where supported.
const copyOptions = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE };

/** Copies this checkout and its build into a new folder, and its dependencies if they are up to date. */
export function copyCheckout(folder) {
  if (existsSync(folder)) throw new Error(`${folder} already exists`);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(root)) {
    if (!excludedEntries.has(name)) cpSync(join(root, name), join(folder, name), copyOptions);
  }
  if (!hasDependencies() || !hasPatches()) return;
  const isNotCache = (path) => !cacheFolders.has(basename(path));
  cpSync(modules, join(folder, 'node_modules'), { ...copyOptions, filter: isNotCache });
}
