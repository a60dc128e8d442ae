import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { accountErrorMessages } from '#contract/accounts.ts';
import { siteIcons } from '#contract/pwa.ts';
import { copyWorkingTree, type WorkingTreeCopy } from './support/checkout.ts';
import { getFreePort, measureModuleLoadMs } from './support/quad-server.ts';
import { test } from './support/test.ts';

/**
 * Measures two durations in ms at the same time. `ms` is the time until `visible` resolves. `loadingMs` is
 * the time until the server's modules are loaded, which shows how busy the machine is.
 */
const measureUntilVisible = async (
  visible: () => Promise<unknown>,
): Promise<{ ms: number; loadingMs: number }> => {
  const begun = performance.now();
  const [loadingMs, ms] = await Promise.all([
    measureModuleLoadMs(),
    visible().then(() => performance.now() - begun),
  ]);
  return { ms, loadingMs };
};

let checkout: WorkingTreeCopy;
let dataDir: string;
let devServerUrl: string;
let devServer: ChildProcess | undefined;
let serverOutput = '';

const countReadyLines = (): number => serverOutput.split('is ready at').length - 1;

test.beforeAll(async () => {
  checkout = copyWorkingTree();
  dataDir = mkdtempSync(join(tmpdir(), 'quad-dev-'));
  const port = await getFreePort();
  devServerUrl = `http://localhost:${port}`;
  const started = spawn(process.execPath, [join(checkout.folder, 'tools', 'dev.mjs')], {
    env: { ...process.env, PORT: String(port), QUAD_DATA_DIR: dataDir, QUAD_DEMO: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  devServer = started;
  for (const stream of [started.stdout, started.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      serverOutput += chunk;
    });
  }
  await expect.poll(countReadyLines, { timeout: 60_000 }).toBe(1);
});

test.afterAll(async () => {
  if (devServer?.exitCode === null) {
    devServer.kill('SIGTERM');
    await once(devServer, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
  checkout.remove();
});

/** Replaces text in a source file; returns a function that restores the file. */
const changeSource = (path: string, from: string, to: string): (() => void) => {
  const file = join(checkout.folder, path);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
  return () => writeFileSync(file, text);
};

/**
 * Sets a property on `window`, so that the test can detect a reload of the page, which would remove the
 * property.
 */
const setReloadMarker = (page: Page) => page.evaluate(() => Object.assign(window, { marked: true }));
const hasReloadMarker = (page: Page) => page.evaluate(() => 'marked' in window);
const waitForReload = (page: Page) =>
  page.waitForFunction(() => !('marked' in window), undefined, { timeout: 20_000 });

const openPage = async (page: Page, path: string): Promise<string[]> => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${devServerUrl}${path}`);
  // Vite may reload the page once, when it discovers dependencies that it has not optimized yet.
  await page.waitForLoadState('networkidle');
  return complaints;
};

test('icons are served as in production', async () => {
  for (const path of [...siteIcons.map((icon) => icon.path), '/apple-touch-icon.png']) {
    const response = await fetch(`${devServerUrl}${path}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  }
});

test('a changed component or style is replaced in the open page, without a reload and without CSP violations', async ({
  page,
}) => {
  const complaints = await openPage(page, '/login');
  await page.getByLabel('Email').fill('typed@usc.edu');
  await setReloadMarker(page);
  changeSource('web/accounts/log-in-form.tsx', 'label="Email"', 'label="Campus address"');
  const { ms, loadingMs } = await measureUntilVisible(() =>
    expect(page.getByLabel('Campus address')).toHaveValue('typed@usc.edu'),
  );
  // The limit is 2 s, or more on a machine that is too busy to load the server's modules quickly.
  expect(ms).toBeLessThan(Math.max(2_000, 2 * loadingMs));
  changeSource('web/styles/app.css', 'font-synthesis: none;', 'font-synthesis: none; orphans: 5;');
  await expect(page.locator('html')).toHaveCSS('orphans', '5');
  // Replacing app.css must not affect other styles, such as the header's background color.
  await expect(page.getByRole('banner')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');
  expect(await hasReloadMarker(page)).toBe(true);
  expect(complaints).toEqual([]);
  // The server must render the changed component, too.
  expect(await (await fetch(`${devServerUrl}/login`)).text()).toContain('Campus address');
  const headers = (await fetch(`${devServerUrl}/login`)).headers;
  expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
});

test('a syntax error in a component is shown, and its correction is applied', async ({ page }) => {
  await openPage(page, '/about');
  const fix = changeSource('web/routes/about.tsx', 'export default function', 'export default functio');
  await expect(page.locator('vite-error-overlay')).toBeVisible();
  // A page that is opened while the source has a syntax error must show the error, and recover on
  // its own once the error is fixed.
  const other = await page.context().newPage();
  await other.goto(`${devServerUrl}/about`);
  await expect(other.locator('pre')).toContainText('about.tsx');
  fix();
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.locator('vite-error-overlay')).toBeHidden();
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a change in the contract reaches the server and the open page', async ({ page }) => {
  await openPage(page, '/login');
  await setReloadMarker(page);
  const ready = countReadyLines();
  const changed = 'Is this an email address?';
  changeSource('contract/accounts.ts', accountErrorMessages.email, changed);
  const { ms, loadingMs } = await measureUntilVisible(() =>
    expect.poll(countReadyLines, { intervals: [50] }).toBe(ready + 1),
  );
  expect(ms).toBeLessThan(Math.max(4_000, 4 * loadingMs));
  const refused = await fetch(`${devServerUrl}/functions/v1/send-otp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'nobody' }),
  });
  expect(await refused.text()).toContain(changed);
  await waitForReload(page);
  // The page ignores input until its scripts have started, so the test repeats the input.
  await expect(async () => {
    await page.getByRole('textbox').first().fill('nobody');
    await page.locator('form').getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(page.getByText(changed)).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
});

test('a change in the server restarts it, and the open page reloads by itself', async ({ page }) => {
  await openPage(page, '/');
  await setReloadMarker(page);
  changeSource(
    'server/http/health.ts',
    '{ alive: true, version: serverVersion }',
    '{ alive: true, version: serverVersion, changed: true }',
  );
  const answer = async () => (await fetch(`${devServerUrl}/healthz`).catch(() => undefined))?.text();
  const { ms, loadingMs } = await measureUntilVisible(() =>
    expect.poll(answer, { intervals: [50] }).toContain('changed'),
  );
  expect(ms).toBeLessThan(Math.max(4_000, 4 * loadingMs));
  await waitForReload(page);
});

test('a syntax error in the server is reported, and its correction starts the server again', async () => {
  const fix = changeSource('server/http/health.ts', 'export const', 'export cons');
  await expect.poll(() => serverOutput).toContain('The server ended.');
  expect(serverOutput).toContain('SyntaxError');
  const ready = countReadyLines();
  fix();
  await expect.poll(countReadyLines).toBe(ready + 1);
  expect((await fetch(`${devServerUrl}/healthz`)).status).toBe(200);
});

test('the development server does not serve the service worker', async () => {
  expect(await (await fetch(`${devServerUrl}/sw.js`)).text()).toContain('registration.unregister()');
});

test('stopping the development server leaves no process running', async () => {
  devServer?.kill('SIGTERM');
  await expect.poll(() => devServer?.exitCode).toBe(0);
  await expect(fetch(`${devServerUrl}/healthz`)).rejects.toThrow();
});
