/**
 * `npm run generate`: writes the generated files, which are committed. With `--check` it writes nothing and fails when a
 * file is out of date.
 *
 * A generator is a module `tools/generators/*.ts` that exports `generate()`, which returns its files:
 * `{ path, content }[]`, with paths relative to the project's root.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from './setup/project.mjs';

const generatorsFolder = join(projectRoot, 'tools', 'generators');
const generatorNames = existsSync(generatorsFolder)
  ? readdirSync(generatorsFolder)
      .filter((name) => /^[^.]+\.(ts|mjs)$/.test(name))
      .sort()
  : [];
const isCheckOnly = process.argv.includes('--check');
let staleFileCount = 0;

for (const name of generatorNames) {
  const { generate } = await import(pathToFileURL(join(generatorsFolder, name)).href);
  for (const { path, content } of await generate()) {
    const file = join(projectRoot, path);
    if (existsSync(file) && readFileSync(file, 'utf8') === content) continue;
    if (isCheckOnly) {
      staleFileCount += 1;
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
process.exitCode = staleFileCount === 0 ? 0 : 1;
