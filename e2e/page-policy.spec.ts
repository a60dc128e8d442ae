import { expect, type Page, test } from '@playwright/test';
import { startDemoServer } from './support/demo.ts';
import type { Quad } from './support/quad.ts';
import { logIn } from './support/sign-in.ts';

let quad: Quad;
let session: string;
let slugs: string[];
test.beforeAll(async () => {
  quad = await startDemoServer();
  session = await logIn(quad);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?category=furniture`)).json();
  slugs = items.map(({ slug }: { slug: string }) => slug);
});
test.afterAll(() => quad.stop());

declare global {
  interface Window {
    refusals: string[];
  }
}

/** Records CSP violations of a page from its start. */
const recordViolations = (page: Page) =>
  page.addInitScript(() => {
    window.refusals = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      window.refusals.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
const getViolations = (page: Page) => page.evaluate(() => window.refusals);

const staticPages = [
  'safety',
  'guidelines',
  'how-it-works',
  'contact',
  'about',
  'careers',
  'terms',
  'privacy',
];
const publicScreens = () => [
  '/',
  '/category/game-day',
  '/category/textbooks',
  `/listing/${slugs[0]}`,
  '/search?q=desk',
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password/guessed',
  '/no/such/page',
  ...staticPages.map((name) => `/${name}`),
];
const privateScreens = () => [
  `/listing/${slugs[0]}?message=1`,
  '/profile',
  '/profile?tab=settings',
  '/profile/edit',
  '/profile-setup',
  '/post-ad',
  '/my-listings',
  '/messages',
];

test('no screen violates its Content-Security-Policy', async ({ browser }) => {
  const visit = async (paths: string[], stored?: string) => {
    const context = await browser.newContext({ baseURL: quad.url });
    if (stored) await context.addInitScript((value) => localStorage.setItem('quad.session', value), stored);
    const page = await context.newPage();
    await recordViolations(page);
    for (const path of paths) {
      await page.goto(path, { waitUntil: 'networkidle' });
      expect(await getViolations(page), path).toEqual([]);
    }
    await context.close();
  };
  await Promise.all([visit(publicScreens()), visit(privateScreens(), session)]);
});

test('navigating between screens in the browser causes no CSP violations', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: quad.url });
  const page = await context.newPage();
  await recordViolations(page);
  await page.goto('/', { waitUntil: 'networkidle' });
  await page.locator('a[href^="/product/"]').first().click();
  await page.getByRole('button', { name: 'Message Seller' }).waitFor();
  // After navigating in the browser, a script has inserted the listing's structured data.
  await expect(page.locator('script[type="application/ld+json"]')).toHaveCount(1);
  await page.getByRole('button', { name: 'Message Seller' }).click();
  await page
    .getByRole('link', { name: 'Log In' })
    .or(page.getByRole('button', { name: 'Log In' }))
    .first()
    .click();
  await page.waitForURL('**/login?**');
  expect(await getViolations(page)).toEqual([]);
  await context.close();
});

test('the CSP keeps injected text from becoming markup or script', async ({ browser }) => {
  const context = await browser.newContext({ baseURL: quad.url });
  const page = await context.newPage();
  await page.goto('/', { waitUntil: 'networkidle' });
  const tried = await page.evaluate(async () => {
    const attempt = (act: () => unknown): string => {
      try {
        act();
        return 'done';
      } catch (error) {
        return error instanceof Error ? error.name : 'refused';
      }
    };
    // The CSP does not apply to code that Playwright evaluates directly, but it applies to code that runs in a timer.
    await new Promise((done) => setTimeout(done, 0));
    const element = document.createElement('div');
    const script = document.createElement('script');
    return {
      markup: attempt(() => {
        element.innerHTML = '<img src=x onerror="window.stolen = 1">';
      }),
      frame: attempt(() => {
        document.createElement('iframe').srcdoc = '<script>window.parent.stolen = 1</script>';
      }),
      parsed: attempt(() => new DOMParser().parseFromString('<b>x</b>', 'text/html')),
      address: attempt(() => {
        script.src = 'https://evil.example/steal.js';
      }),
      code: attempt(() => {
        script.text = 'window.stolen = 1';
      }),
      evaluated: attempt(() => new Function('return 1')()),
      handler: attempt(() => element.setAttribute('onclick', 'window.stolen = 1')),
      text: attempt(() => {
        element.innerHTML = 'only text';
      }),
      policy: attempt(() =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('another', { createHTML: (text: string) => text }),
      ),
    };
  });
  const { text, ...others } = tried;
  expect(text).toBe('done');
  for (const [what, result] of Object.entries(others)) expect(result, what).toMatch(/^(Type|Eval)Error$/);
  expect(await page.evaluate(() => (window as { stolen?: number }).stolen)).toBeUndefined();
  await context.close();
});
