import { expect } from '@playwright/test';
import { test } from './support/fixtures.ts';
import { openReadyPage } from './support/hydration.ts';
import { listShiftedElements, recordLayoutShifts } from './support/layout-shifts.ts';
import { logInToDemo } from './support/sign-in.ts';

const paths = [
  '/',
  '/browse',
  '/category/game-day',
  '/category/textbooks',
  '/course/CSCI-270',
  '/category/nothing-here',
  '/category/game-day?kind=parking-passes&price=100-',
  '/listing/no-such-listing',
  '/product/no-such-listing',
  '/users/nobody',
  '/search?q=desk',
  '/search?q=unicorn',
  '/search',
  '/safety',
  '/guidelines',
  '/how-it-works',
  '/contact',
  '/about',
  '/careers',
  '/terms',
  '/privacy',
  '/no/such/page',
];

for (const isSignedIn of [false, true])
  for (const width of [360, 1280])
    test(`nothing on public pages moves at ${width} px, ${isSignedIn ? 'signed in' : 'signed out'}`, async ({
      browser,
      demo,
    }) => {
      const context = await browser.newContext({ baseURL: demo.url, viewport: { width, height: 800 } });
      if (isSignedIn) {
        const session = await logInToDemo(demo);
        await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
      }
      for (const path of paths) {
        const page = await context.newPage();
        await recordLayoutShifts(page);
        await openReadyPage(page, path);
        await page.waitForLoadState('networkidle');
        expect.soft(await listShiftedElements(page), path).toEqual([]);
        await page.close();
      }
      await context.close();
    });

test('nothing on the page of an own listing moves', async ({ browser, demo }) => {
  const session = await logInToDemo(demo);
  const { id } = JSON.parse(session).user;
  const { items } = await (await fetch(`${demo.url}/rest/v1/listings?seller=${id}`)).json();
  for (const width of [360, 768, 1280]) {
    const context = await browser.newContext({ baseURL: demo.url, viewport: { width, height: 1024 } });
    await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
    const page = await context.newPage();
    await recordLayoutShifts(page);
    await openReadyPage(page, `/listing/${items[0].slug}`);
    await expect(page.getByRole('link', { name: 'Edit Listing' })).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect.soft(await listShiftedElements(page), `${width}`).toEqual([]);
    await context.close();
  }
});
