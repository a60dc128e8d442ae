import { constants, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { hasCurrentDependencies } from '../setup/dependencies.mjs';
import { nodeModulesFolder, projectRoot } from '../setup/project.mjs';

/**
 * Entries of a checkout that a release does not need: runtime data, caches and results. node_modules is
 * copied separately.
 */
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

// Copies files instead of hard-linking them, because npm changes some files of node_modules in place. Where
// the file system supports it, the copies are copy-on-write.
const copyOptions = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE };

/** Copies this checkout and its build into a new folder, and its dependencies if they are up to date. */
export function copyToRelease(folder) {
  if (existsSync(folder)) throw new Error(`${folder} already exists`);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(projectRoot)) {
    if (excludedEntries.has(name)) continue;
    // Leaves out what a benchmark has installed for itself.
    const filter = (path) => basename(path) !== 'node_modules';
    cpSync(join(projectRoot, name), join(folder, name), { ...copyOptions, filter });
  }
  if (!hasCurrentDependencies()) return;
  const isNotCache = (path) => !cacheFolders.has(basename(path));
  cpSync(nodeModulesFolder, join(folder, 'node_modules'), { ...copyOptions, filter: isNotCache });
}
