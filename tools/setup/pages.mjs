import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bundledNode, modules, root } from './project.mjs';
import { run, say, seconds } from './running.mjs';

const buildFolder = join(root, 'build');
const stampName = '.made-from';
const buildSources = [
  'web',
  'contract',
  'public',
  'tools/build',
  'react-router.config.ts',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
];

export function hasPages() {
  try {
    return readFileSync(join(buildFolder, stampName), 'utf8') === fingerprint();
  } catch (_) {
    return false;
  }
}

export function buildPages() {
  say('Building the pages ...');
  const begun = Date.now();
  const made = fingerprint();
  // A server may be running on the present build: it is replaced as a whole, and only by one that succeeded.
  const next = `${buildFolder}.next`;
  const previous = `${buildFolder}.previous`;
  for (const folder of [next, previous]) rmSync(folder, { recursive: true, force: true });
  const command = [bundledNode, join(modules, '@react-router', 'dev', 'bin.cjs'), 'build'];
  run(command, 'The pages could not be built.', {
    quiet: true,
    env: { NODE_ENV: 'production', BUILD_FOLDER: next },
  });
  compressPages(join(next, 'client'));
  writeFileSync(join(next, stampName), made);
  if (existsSync(buildFolder)) renameSync(buildFolder, previous);
  renameSync(next, buildFolder);
  rmSync(previous, { recursive: true, force: true });
  say(`Pages built in ${seconds(begun)}.`);
}

/** Puts the two compressed forms beside every text that browsers fetch; made once, they may take their time. */
function compressPages(folder) {
  readdirSync(folder, { withFileTypes: true }).forEach((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) compressPages(path);
    else if (/\.(js|css|svg|json|webmanifest)$/.test(entry.name)) {
      const text = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(text));
      writeFileSync(`${path}.gz`, gzipSync(text, { level: 9 }));
    }
  });
}

/** One value for the content of everything the pages are made from; tests do not count. */
function fingerprint() {
  const hash = createHash('sha256');
  const add = (path) => {
    const entry = statSync(join(root, path), { throwIfNoEntry: false });
    if (!entry) return;
    if (entry.isDirectory()) {
      readdirSync(join(root, path))
        .sort()
        .forEach((name) => {
          add(`${path}/${name}`);
        });
    } else if (!/\.test\.tsx?$/.test(path)) {
      hash.update(`${path}\0${entry.size}\0`).update(readFileSync(join(root, path)));
    }
  };
  buildSources.forEach(add);
  return hash.digest('hex');
}
