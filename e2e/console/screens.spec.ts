import { expect, type Page } from '@playwright/test';
import { listViolationsInBothThemes } from '../support/axe.ts';
import { listConsoleScreens } from '../support/console-screens.ts';
import { startDemoServer } from '../support/demo.ts';
import { openReadyPage } from '../support/hydration.ts';
import type { QuadServer } from '../support/quad-server.ts';
import type { Screen } from '../support/screen.ts';
import { logInToDemo } from '../support/sign-in.ts';
import { test } from '../support/test.ts';
import { visitInGroups } from '../support/visit-in-groups.ts';

let quad: QuadServer;
test.beforeAll(async () => {
  quad = await startDemoServer();
});
test.afterAll(() => quad.stop());

const getOverflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Returns the problems that the screen has at each width and in both themes: horizontal overflow, and
 * violations of WCAG that axe finds.
 */
const checkScreen = async (page: Page, name: string): Promise<unknown[]> => {
  const failures: unknown[] = [];
  for (const width of [1280, 768, 360]) {
    await page.setViewportSize({ width, height: 900 });
    const overflow = await getOverflow(page);
    if (overflow > 0) failures.push({ name, width, overflow });
    const { light, dark } = await listViolationsInBothThemes(page);
    if (light.length + dark.length > 0) failures.push({ name, width, light, dark });
  }
  return failures;
};

test('no screen of the console, two-step log-in or the decisions page overflows or violates an axe rule', async ({
  browser,
}) => {
  test.setTimeout(600_000);
  const own = await logInToDemo(quad);
  const failures: unknown[] = [];
  const visit = async ({ name, path, session = own, prepare, further = [] }: Screen) => {
    const context = await browser.newContext({ baseURL: quad.url, reducedMotion: 'reduce', bypassCSP: true });
    await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
    const page = await context.newPage();
    await openReadyPage(page, path);
    for (const state of [{ name, prepare }, ...further]) {
      await state.prepare?.(page);
      failures.push(...(await checkScreen(page, state.name)));
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    await context.close();
  };
  await visitInGroups(await listConsoleScreens(quad), async (screens) => {
    for (const screen of screens) await visit(screen);
  });
  expect(failures).toEqual([]);
});
