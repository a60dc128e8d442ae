import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundledNode, modules, root } from './project.mjs';
import { run } from './running.mjs';

/** What the dependencies were last patched with. */
const patchRecord = join(modules, '.patched-with');

/** Whether the dependencies carry the patches of this checkout (docs/decisions/0006). */
export function hasPatches() {
  return readText(patchRecord) === readPatches();
}

/** Patches of another checkout: a patch does not go on top of an earlier form of itself. */
export function hasOtherPatches() {
  return readText(patchRecord) !== undefined && !hasPatches();
}

export function applyPatches() {
  run(
    [bundledNode, join(modules, 'patch-package', 'index.js'), '--error-on-fail'],
    'A dependency could not be patched. Remove node_modules and try again.',
  );
  writeFileSync(patchRecord, readPatches());
}

function readPatches() {
  const folder = join(root, 'patches');
  return readdirSync(folder)
    .sort()
    .map((name) => readText(join(folder, name)))
    .join('');
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (_) {
    return undefined;
  }
}
