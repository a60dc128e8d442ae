/**
 * Generated files are committed and checked. `npm run generate` writes them; `--check` writes nothing and fails when one is
 * out of date.
 *
 * A generator is a module `tools/generators/*.ts` that exports `generate()`, which returns its files:
 * `{ path, content }[]`, with paths relative to the project's root.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './setup/project.mjs';

const folder = join(root, 'tools', 'generators');
const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => /^[^.]+\.(ts|mjs)$/.test(name))
      .sort()
  : [];
const onlyCheck = process.argv.includes('--check');
let stale = 0;

for (const name of names) {
  const { generate } = await import(pathToFileURL(join(folder, name)).href);
  for (const { path, content } of await generate()) {
    const file = join(root, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
    if (onlyCheck) {
      stale += 1;
      process.stderr.write(
        `${path} is stale (made by tools/generators/${name}). Renew it with: npm run generate\n`,
      );
    } else {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      process.stdout.write(`wrote ${path}\n`);
    }
  }
}
process.exitCode = stale === 0 ? 0 : 1;
