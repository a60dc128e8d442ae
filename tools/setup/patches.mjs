import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledNodePath, nodeModulesFolder, projectRoot } from './project.mjs';
import { runCommandOrExit } from './running.mjs';

/** File that records which patches were last applied to node_modules. */
const appliedPatchesFile = join(nodeModulesFolder, '.patched-with');

/** Returns whether the patches of this checkout have been applied (docs/decisions/0006). */
export function hasCurrentPatches() {
  return readTextIfExists(appliedPatchesFile) === readPatches();
}

/**
 * Returns whether patches other than the current ones have been applied. Applied patches cannot be
 * undone, so the packages must be reinstalled.
 */
export function hasOutdatedPatches() {
  return readTextIfExists(appliedPatchesFile) !== undefined && !hasCurrentPatches();
}

export function applyPatches() {
  runCommandOrExit(
    [bundledNodePath, join(nodeModulesFolder, 'patch-package', 'index.js'), '--error-on-fail'],
    'A dependency could not be patched. Remove node_modules and try again.',
  );
  writeFileSync(appliedPatchesFile, readPatches());
}

function readPatches() {
  const folder = join(projectRoot, 'patches');
  return readdirSync(folder)
    .sort()
    .map((name) => readTextIfExists(join(folder, name)))
    .join('');
}

function readTextIfExists(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (_) {
    return undefined;
  }
}
