import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bundledNodePath, nodeModulesFolder, projectRoot } from './project.mjs';
import { formatSecondsSince, printLine, runCommandOrExit } from './running.mjs';

const buildFolder = join(projectRoot, 'build');
const fingerprintFileName = '.made-from';
const buildSources = [
  'web',
  'contract',
  'tools/build',
  'react-router.config.ts',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
];

export function hasCurrentPages() {
  try {
    return readFileSync(join(buildFolder, fingerprintFileName), 'utf8') === hashBuildSources();
  } catch (_) {
    return false;
  }
}

export async function buildPages() {
  printLine('Building the pages ...');
  const begun = Date.now();
  const sourceHash = hashBuildSources();
  // A server may be using the current build, so replace the whole build folder only after the new
  // build has succeeded.
  const next = `${buildFolder}.next`;
  const previous = `${buildFolder}.previous`;
  for (const folder of [next, previous]) rmSync(folder, { recursive: true, force: true });
  const command = [bundledNodePath, join(nodeModulesFolder, '@react-router', 'dev', 'bin.cjs'), 'build'];
  await runCommandOrExit(command, 'The pages could not be built.', {
    quiet: true,
    env: { NODE_ENV: 'production', BUILD_FOLDER: next },
  });
  compressPages(join(next, 'client'));
  writeFileSync(join(next, fingerprintFileName), sourceHash);
  if (existsSync(buildFolder)) renameSync(buildFolder, previous);
  renameSync(next, buildFolder);
  rmSync(previous, { recursive: true, force: true });
  printLine(`Pages built in ${formatSecondsSince(begun)}.`);
}

/**
 * Writes a Brotli and a gzip version next to each file that browsers load and that gets smaller. Uses the highest
 * compression levels, because this runs only once per build.
 */
function compressPages(folder) {
  readdirSync(folder, { withFileTypes: true }).forEach((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) compressPages(path);
    else if (/\.(js|css|svg|json|wasm|webmanifest)$/.test(entry.name)) {
      const text = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(text));
      writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
    }
  });
}

/** Returns a hash of all files that the pages are built from, without tests. */
function hashBuildSources() {
  const hash = createHash('sha256');
  const addToHash = (path) => {
    const entry = statSync(join(projectRoot, path), { throwIfNoEntry: false });
    if (!entry) return;
    if (entry.isDirectory()) {
      readdirSync(join(projectRoot, path))
        .sort()
        .forEach((name) => {
          addToHash(`${path}/${name}`);
        });
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(`${path}\0${entry.size}\0`).update(readFileSync(join(projectRoot, path)));
    }
  };
  buildSources.forEach(addToHash);
  return hash.digest('hex');
}
