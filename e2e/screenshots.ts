/**
 * `npm run screenshots`: every screen at the three widths in both themes, taken from the demo campus, below
 * test-results/screenshots. With `--readme` the few that the README shows are renewed in docs/screenshots.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { prepareBrowser } from '../tools/browser.ts';
import { type Quad, startQuad } from './support/quad.ts';
import { logIn } from './support/sign-in.ts';

interface Screen {
  name: string;
  path: string;
  signedIn?: boolean;
  /** What to do before the picture is taken. */
  prepare?: (page: Page) => Promise<unknown>;
}

const widths = [360, 768, 1280];
const themes = ['light', 'dark'] as const;
const heights: Record<number, number> = { 360: 740, 768: 1024, 1280: 900 };
const root = fileURLToPath(new URL('..', import.meta.url));
const readmePictures = [
  { screen: 'home', width: 1280 },
  { screen: 'category', width: 360 },
  { screen: 'listing', width: 768 },
  { screen: 'messages', width: 768 },
];

const openFirstThread = async (page: Page): Promise<void> => {
  await page.getByRole('region', { name: 'Conversations' }).getByRole('link').first().click();
  await page.getByRole('region', { name: /^Messages with/ }).waitFor();
};

const writeOffline = async (page: Page): Promise<void> => {
  await openFirstThread(page);
  await page.context().setOffline(true);
  const input = page.getByPlaceholder('Type your message...');
  for (const text of ['I am on the train.', 'See you at five?']) {
    await input.fill(text);
    await input.press('Enter');
  }
  await page.getByText('Waiting for connection').last().waitFor();
  await input.fill('And one more');
};

const emptyInbox = async (page: Page): Promise<void> => {
  await page.route('**/rest/v1/conversations', (route) =>
    route.fulfill({ json: { items: [], unread_total: 0 } }),
  );
  await page.reload();
  await page.getByText('No conversations yet').waitFor();
};

const screensOf = (slug: string): Screen[] => [
  { name: 'home', path: '/' },
  { name: 'category', path: '/category/game-day' },
  { name: 'category-generic', path: '/category/textbooks' },
  { name: 'category-empty', path: '/category/nothing-here' },
  { name: 'listing', path: `/listing/${slug}` },
  {
    name: 'sign-in-required',
    path: `/listing/${slug}`,
    prepare: (page) => page.getByRole('button', { name: 'Message Seller' }).click(),
  },
  {
    name: 'message-dialog',
    path: `/listing/${slug}?message=1`,
    signedIn: true,
    prepare: (page) => page.getByPlaceholder('Type your message...').waitFor(),
  },
  { name: 'listing-missing', path: '/listing/no-such-listing' },
  { name: 'search', path: '/search?q=desk' },
  { name: 'search-empty', path: '/search?q=unicorn' },
  { name: 'log-in', path: '/login' },
  { name: 'sign-up', path: '/signup' },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'profile', path: '/profile', signedIn: true },
  { name: 'profile-settings', path: '/profile?tab=settings', signedIn: true },
  { name: 'profile-edit', path: '/profile/edit', signedIn: true },
  { name: 'profile-setup', path: '/profile-setup', signedIn: true },
  { name: 'post-ad', path: '/post-ad', signedIn: true },
  { name: 'my-listings', path: '/my-listings', signedIn: true },
  { name: 'messages', path: '/messages', signedIn: true },
  { name: 'messages-thread', path: '/messages', signedIn: true, prepare: openFirstThread },
  { name: 'messages-waiting', path: '/messages', signedIn: true, prepare: writeOffline },
  { name: 'messages-unknown', path: '/messages?c=unknown', signedIn: true },
  { name: 'messages-empty', path: '/messages', signedIn: true, prepare: emptyInbox },
  ...['safety', 'guidelines', 'how-it-works', 'contact', 'about', 'careers', 'terms', 'privacy'].map(
    (name) => ({ name, path: `/${name}` }),
  ),
  { name: 'not-found', path: '/no/such/page' },
];

const takeAll = async (quad: Quad, browser: Browser, folder: string): Promise<void> => {
  const session = await logIn(quad);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?category=furniture`)).json();
  const screens = screensOf(items[1].slug);
  for (const theme of themes) {
    for (const width of widths) {
      for (const screen of screens) {
        const context = await browser.newContext({
          baseURL: quad.url,
          viewport: { width, height: heights[width] ?? 900 },
          colorScheme: theme,
          reducedMotion: 'reduce',
          hasTouch: width === 360,
        });
        if (screen.signedIn) {
          await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
        }
        const page = await context.newPage();
        await page.goto(screen.path, { waitUntil: 'networkidle' });
        await screen.prepare?.(page);
        // Photos below the fold load when they come near.
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        await page.waitForLoadState('networkidle');
        await page.evaluate(() => window.scrollTo(0, 0));
        const fullPage = !screen.prepare;
        await page.screenshot({ path: join(folder, `${screen.name}-${width}-${theme}.png`), fullPage });
        const shown = readmePictures.some((it) => it.screen === screen.name && it.width === width);
        if (shown && theme === 'light' && process.argv.includes('--readme')) {
          const path = join(root, 'docs', 'screenshots', `${screen.name}-${width}.jpg`);
          await page.screenshot({ path, type: 'jpeg', quality: 80 });
        }
        await context.close();
      }
    }
  }
};

const folder = join(root, 'test-results', 'screenshots');
await mkdir(folder, { recursive: true });
const quad = await startQuad({ DEMO: 'on' });
const browser = await chromium.launch(await prepareBrowser());
try {
  await takeAll(quad, browser, folder);
  process.stdout.write(`The pictures are in ${folder}\n`);
} finally {
  await browser.close();
  await quad.stop();
}
