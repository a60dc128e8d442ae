/**
 * Measures the compressed size of what a first visit to each public page loads: the scripts of the entry and
 * of the route with all their static imports, and the styles, which are inlined in every document. Fails when
 * a page exceeds its budget (docs/performance.md), or when pages other than the moderation console would load the
 * console's scripts.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { privateScreenPaths } from '#contract/private-screens.ts';
import { accountFormPaths, routePatterns } from '#web/lib/links.ts';
import { listConsoleBundleProblems } from './console-bundle.mjs';
import { projectRoot } from './setup/project.mjs';
import { setUpCheckout } from './setup.mjs';

/** Maximum gzip-compressed sizes of scripts and of styles, in bytes. */
const sizeBudgets = { script: 150_000, styles: 20_000 };
const overBudgetAdvice = {
  script:
    'Load what is needed only after an interaction lazily, with lazyComponent or lazyDialog (web/ui/lazy-component.tsx). The file named private has what private screens share (vite.config.ts).',
  styles: 'Reuse class names that other components have: each new one adds a rule to every page.',
};
/** How many files to list for a page that exceeds its budget. */
const listedFileCount = 8;
/** Patterns of account and private screens. They are not public pages, so their size is not measured. */
const unmeasuredPatterns = new Set([
  ...accountFormPaths,
  ...privateScreenPaths,
  routePatterns.resetPassword,
  routePatterns.authCallback,
  routePatterns.appeal,
  routePatterns.moderation,
]);
/** Layouts have no path. */
const isPage = ({ id, path, index }) => id !== 'root' && (index || path !== undefined);

await setUpCheckout();
const clientFolder = join(projectRoot, 'build', 'client');
const manifestFileName = readdirSync(join(clientFolder, 'assets')).find((name) =>
  /^manifest-.*\.js$/.test(name),
);
const manifestPath = `/assets/${manifestFileName}`;
const { entry, routes } = JSON.parse(
  readFileSync(join(clientFolder, manifestPath), 'utf8')
    .replace(/^[^{]*/, '')
    .replace(/[^}]*$/, ''),
);

const getGzipBytes = (path) => statSync(`${join(clientFolder, path)}.gz`).size;

const { renderOfflinePage } = await import(pathToFileURL(join(projectRoot, 'build', 'server', 'index.js')));
const offlinePageHtml = await renderOfflinePage({ siteName: 'Quad' }, 'nonce');
const [, styles] = /<style>(.*?)<\/style>/s.exec(offlinePageHtml);
const stylesBytes = gzipSync(styles, { level: 9 }).length;

let pagesOverBudget = 0;
const reportSize = (name, what, { paths, inlineBytes = 0 }) => {
  const files = [...new Set(paths)].map((path) => ({ path, bytes: getGzipBytes(path) }));
  const bytes = files.reduce((sum, file) => sum + file.bytes, inlineBytes);
  process.stdout.write(`${name.padEnd(22)} ${(bytes / 1000).toFixed(1).padStart(6)} KB of ${what}\n`);
  if (bytes <= sizeBudgets[what]) return;
  pagesOverBudget += 1;
  const largest = files.sort((a, b) => b.bytes - a.bytes).slice(0, listedFileCount);
  const lines = [
    `${bytes - sizeBudgets[what]} bytes more than the limit of ${sizeBudgets[what]}. The largest files:`,
    ...largest.map((file) => `  ${String(file.bytes).padStart(6)} ${file.path}`),
    overBudgetAdvice[what],
  ];
  process.stdout.write(`${lines.map((line) => `  ${line}`).join('\n')}\n`);
};

const concatRootAndRouteParts = (route, part) => [...routes.root[part], ...route[part]];
for (const route of Object.values(routes)) {
  if (!isPage(route) || unmeasuredPatterns.has(route.path)) continue;
  const modules = [entry.module, ...entry.imports, routes.root.module, route.module];
  reportSize(route.id, 'script', {
    paths: [manifestPath, ...modules, ...concatRootAndRouteParts(route, 'imports')],
  });
  reportSize(route.id, 'styles', {
    paths: concatRootAndRouteParts(route, 'css'),
    inlineBytes: stylesBytes,
  });
}

const consoleLeaks = listConsoleBundleProblems(clientFolder, { entry, routes });
for (const leak of consoleLeaks) process.stdout.write(`${leak}\n`);

process.exitCode = pagesOverBudget + consoleLeaks.length === 0 ? 0 : 1;
