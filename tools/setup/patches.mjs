import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledNode, modules, root } from './project.mjs';
import { runOrExit } from './running.mjs';

/** File with the patches that were last applied to node_modules. */
const appliedPatchesFile = join(modules, '.patched-with');

/** Returns whether the patches of this checkout have been applied (docs/decisions/0006). */
export function hasPatches() {
  return readTextIfExists(appliedPatchesFile) === readPatches();
}

/** Returns whether older patches have been applied. They cannot be replaced in place: packages must be reinstalled. */
export function hasOtherPatches() {
  return readTextIfExists(appliedPatchesFile) !== undefined && !hasPatches();
}

export function applyPatches() {
  runOrExit(
    [bundledNode, join(modules, 'patch-package', 'index.js'), '--error-on-fail'],
    'A dependency could not be patched. Remove node_modules and try again.',
  );
  writeFileSync(appliedPatchesFile, readPatches());
}

function readPatches() {
  const folder = join(root, 'patches');
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
