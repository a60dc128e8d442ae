/**
 * Measures the compressed size of what a first visit to each public page loads: the scripts of its entry and route with
 * all their static imports, and the styles. Fails when a page exceeds its budget (docs/performance.md).
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup/project.mjs';
import { setUp } from './setup.mjs';

/** Largest allowed sizes in bytes, gzip. */
const budgets = { script: 135_000, styles: 20_000 };
/** Routes of account and private screens, which are not measured because they are not public pages. */
const forMembers =
  /^routes\/(login|signup|forgot-password|reset-password|auth-callback|guarded|profile|profile-edit|profile-setup|post-ad|my-listings|messages)$/;

setUp();
const client = join(root, 'build', 'client');
const manifestName = readdirSync(join(client, 'assets')).find((name) => /^manifest-.*\.js$/.test(name));
const manifestPath = `/assets/${manifestName}`;
const { entry, routes } = JSON.parse(
  readFileSync(join(client, manifestPath), 'utf8')
    .replace(/^[^{]*/, '')
    .replace(/[^}]*$/, ''),
);

const getGzipBytes = (path) => statSync(`${join(client, path)}.gz`).size;
const sumGzipBytes = (paths) => [...new Set(paths)].reduce((sum, path) => sum + getGzipBytes(path), 0);

let pagesOverBudget = 0;
const reportSize = (name, what, bytes) => {
  const over = bytes > budgets[what];
  if (over) pagesOverBudget += 1;
  const figures = `${(bytes / 1000).toFixed(1).padStart(6)} KB of ${what}`;
  process.stdout.write(
    `${name.padEnd(22)} ${figures}${over ? `, more than ${budgets[what] / 1000} KB` : ''}\n`,
  );
};

const concatWithRoot = (route, part) => [...routes.root[part], ...route[part]];
for (const route of Object.values(routes)) {
  if (route.id === 'root' || forMembers.test(route.id)) continue;
  const modules = [entry.module, ...entry.imports, routes.root.module, route.module];
  reportSize(
    route.id,
    'script',
    sumGzipBytes([manifestPath, ...modules, ...concatWithRoot(route, 'imports')]),
  );
  reportSize(route.id, 'styles', sumGzipBytes(concatWithRoot(route, 'css')));
}
process.exitCode = pagesOverBudget === 0 ? 0 : 1;
