import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { textPages } from '../web/lib/links.ts';
import { startDemo } from './support/demo.ts';
import { visitInGroups } from './support/lanes.ts';
import type { Quad } from './support/quad.ts';

let quad: Quad;
let session: string;
let slug: string;
test.beforeAll(async () => {
  ({ quad, session, slug } = await startDemo());
});
test.afterAll(() => quad.stop());

const groups = {
  'the pages to browse': () => [
    '/',
    '/category/game-day',
    '/category/textbooks',
    '/category/nothing-here',
    `/listing/${slug}`,
    '/listing/no-such-listing',
    '/search?q=desk',
    '/search?q=unicorn',
  ],
  'the account screens': () => ['/login', '/signup', '/forgot-password', '/reset-password/some-token'],
  'the pages to read': () => [...textPages, '/no/such/page', '/unsubscribe/no-such-link'],
  'the profile': () => [
    '/profile',
    '/profile?tab=history',
    '/profile?tab=settings',
    '/profile/edit',
    '/profile-setup',
  ],
  'the screens to trade': () => ['/post-ad', '/my-listings', '/messages'],
};
const forMembers: readonly string[] = ['the profile', 'the screens to trade'];

for (const [group, paths] of Object.entries(groups)) {
  test(`axe finds no violations on ${group} in the light and dark theme`, async ({ browser }) => {
    test.slow();
    await visitInGroups(
      paths(),
      async (lane) => {
        const context = await browser.newContext({
          baseURL: quad.url,
          reducedMotion: 'reduce',
          viewport: { width: 1280, height: 900 },
        });
        if (forMembers.includes(group)) {
          await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
        }
        const page = await context.newPage();
        for (const path of lane) {
          await page.goto(path, { waitUntil: 'networkidle' });
          for (const theme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme: theme });
            // The default mode opens an extra page per analysis to support cross-origin frames, which this site does not use.
            const { violations } = await new AxeBuilder({ page })
              .setLegacyMode()
              .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
              .analyze();
            expect(
              violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
              `${path} in the ${theme} theme`,
            ).toEqual([]);
          }
        }
        await context.close();
      },
      2,
    );
  });
}
