import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { bundledNode, modules, root } from './project.mjs';
import { run, say, seconds } from './running.mjs';

const buildStamp = join(root, 'build', '.made-from');
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
    return readFileSync(buildStamp, 'utf8') === fingerprint();
  } catch (_) {
    return false;
  }
}

export function buildPages() {
  say('Building the pages ...');
  const begun = Date.now();
  rmSync(buildStamp, { force: true });
  const made = fingerprint();
  const command = [bundledNode, join(modules, '@react-router', 'dev', 'bin.cjs'), 'build'];
  run(command, 'The pages could not be built.', { quiet: true, env: { NODE_ENV: 'production' } });
  compressPages(join(root, 'build', 'client'));
  writeFileSync(buildStamp, made);
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
