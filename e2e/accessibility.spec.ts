import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { type Quad, startQuad } from './support/quad.ts';
import { logIn } from './support/sign-in.ts';

let quad: Quad;
let session: string;
let slug: string;
test.beforeAll(async () => {
  quad = await startQuad({ DEMO: 'on' });
  session = await logIn(quad);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?category=furniture`)).json();
  slug = items[0].slug;
});
test.afterAll(() => quad.stop());

const publicScreens = () => [
  '/',
  '/category/game-day',
  '/category/textbooks',
  `/listing/${slug}`,
  '/search?q=desk',
  '/search?q=unicorn',
  '/login',
  '/signup',
  '/no/such/page',
  '/unsubscribe/no-such-link',
  '/safety',
  '/guidelines',
  '/how-it-works',
  '/contact',
  '/about',
  '/careers',
  '/terms',
  '/privacy',
];
const privateScreens = [
  '/profile',
  '/profile?tab=history',
  '/profile?tab=settings',
  '/profile/edit',
  '/profile-setup',
  '/post-ad',
  '/my-listings',
  '/messages',
];

for (const theme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any screen in the ${theme} theme`, async ({ browser }) => {
    const context = await browser.newContext({
      baseURL: quad.url,
      colorScheme: theme,
      reducedMotion: 'reduce',
      viewport: { width: 1280, height: 900 },
    });
    const page = await context.newPage();
    const look = async (path: string) => {
      await page.goto(path, { waitUntil: 'networkidle' });
      const { violations } = await new AxeBuilder({ page })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])
        .analyze();
      expect(
        violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]),
        path,
      ).toEqual([]);
    };
    for (const path of publicScreens()) await look(path);
    await page.evaluate((stored) => localStorage.setItem('quad.session', stored), session);
    for (const path of privateScreens) await look(path);
    await context.close();
  });
}
