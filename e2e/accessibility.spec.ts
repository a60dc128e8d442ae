import { expect } from '@playwright/test';
import { textPagePaths } from '../web/lib/links.ts';
import { listViolationsInBothThemes, noViolationsInBothThemes } from './support/axe.ts';
import { getCspViolations, recordCspViolations } from './support/csp-violations.ts';
import { startDemoWithSession } from './support/demo.ts';
import { openReadyPage } from './support/hydration.ts';
import type { QuadServer } from './support/quad-server.ts';
import { test } from './support/test.ts';
import { visitInGroups } from './support/visit-in-groups.ts';

let quadServer: QuadServer;
let session: string;
let listingSlug: string;
let seller: string;
test.beforeAll(async () => {
  ({ quad: quadServer, session, slug: listingSlug, seller } = await startDemoWithSession());
});
test.afterAll(() => quadServer.stop());

test('the axe check finds a missing alternative text, and insufficient contrast in either theme', async ({
  page,
}) => {
  await page.setContent(`<!doctype html><html lang="en"><title>Violations</title>
    <style>p { color: #bbb; background: #fff }
      @media (prefers-color-scheme: dark) { p { color: #000 } i { color: #444; background: #000 } }</style>
    <main><img src="data:,"><p>Pale</p><i>Dim in the dark</i></main></html>`);
  const { light, dark } = await listViolationsInBothThemes(page);
  expect(light.map(([rule]) => rule)).toEqual(['color-contrast', 'image-alt']);
  expect(dark).toEqual([['color-contrast', ['<i>Dim in the dark</i>']]]);
});

const pathsByGroup = {
  'the pages to browse': () => [
    '/',
    '/browse',
    '/browse?category=kitchen&price=100-',
    '/category/game-day',
    '/category/textbooks',
    '/category/nothing-here',
    `/listing/${listingSlug}`,
    '/listing/no-such-listing',
    `/users/${seller}`,
    '/users/nobody',
    '/search?q=desk',
    '/search?q=unicorn',
  ],
  'the account screens': () => [
    '/login',
    '/signup',
    '/forgot-password',
    '/reset-password/some-token',
    '/appeal/some-token',
  ],
  'the pages to read': () => [...textPagePaths, '/no/such/page', '/unsubscribe/no-such-link'],
  'the profile': () => [
    '/profile',
    '/profile?tab=history',
    '/profile?tab=settings',
    '/profile/edit',
    '/profile-setup',
  ],
  'the screens to trade': () => [
    '/post-ad',
    '/my-listings',
    '/my-listings?tab=sold',
    '/saved',
    '/notifications',
    '/decisions',
    '/messages',
    `/listing/${listingSlug}?message=1`,
  ],
};
const signedInGroupNames: readonly string[] = ['the profile', 'the screens to trade'];

for (const [group, paths] of Object.entries(pathsByGroup)) {
  test(`axe finds no violations on ${group} in either theme, and there are no CSP violations`, async ({
    browser,
  }) => {
    test.slow();
    await visitInGroups(
      paths(),
      async (groupPaths) => {
        const context = await browser.newContext({
          baseURL: quadServer.url,
          reducedMotion: 'reduce',
          viewport: { width: 1280, height: 900 },
        });
        if (signedInGroupNames.includes(group)) {
          await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
        }
        const page = await context.newPage();
        await recordCspViolations(page);
        for (const path of groupPaths) {
          await openReadyPage(page, path);
          expect(await getCspViolations(page), path).toEqual([]);
          expect(await listViolationsInBothThemes(page), path).toEqual(noViolationsInBothThemes);
        }
        await context.close();
      },
      2,
    );
  });
}

test('with reduced motion, a new theme is shown at once, without a transition of any element', async ({
  browser,
}) => {
  const context = await browser.newContext({ baseURL: quadServer.url, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await openReadyPage(page, '/');
  const transitionCount = await page.evaluate(() => {
    const runningBefore = document.getAnimations().length;
    document.documentElement.style.color = 'rgb(1, 2, 3)';
    return document.getAnimations().length - runningBefore;
  });
  expect(transitionCount).toBe(0);
  await context.close();
});
