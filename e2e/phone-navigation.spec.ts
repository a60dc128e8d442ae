import { expect, type Page } from '@playwright/test';
import { categories } from '../contract/categories.ts';
import { test } from './messages/screen.ts';
import { listViolationsInBothThemes, noViolationsInBothThemes } from './support/axe.ts';
import { createUniqueEmailAddress } from './support/fixtures.ts';
import { waitForPageHistoryEntry } from './support/overlays.ts';
import { openSignedInBrowser, postListing, signUp } from './support/students.ts';

// The tests of this file are independent of each other, so they run in several workers.
test.describe.configure({ mode: 'parallel' });

const phoneBrowserOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
} as const;

const getNavigationBar = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const getBarLink = (page: Page, name: string | RegExp) => getNavigationBar(page).getByRole('link', { name });
const getPageHeading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const getSearchBox = (page: Page) => page.getByRole('banner').getByRole('combobox', { name: 'Search' });
const getGapBelowBar = (page: Page) =>
  getNavigationBar(page).evaluate((it) => innerHeight - it.getBoundingClientRect().bottom);
/**
 * Expects that axe finds no violations of WCAG 2.2 AA in the current state of the page, in the dark
 * and in the light theme.
 */
const expectAccessible = async (page: Page) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  expect(await listViolationsInBothThemes(page)).toEqual(noViolationsInBothThemes);
};

test('the bottom bar navigates the app and marks the current section', async ({ meet, open, writeAll }) => {
  const { ada, ben, talks } = await meet();
  const { page, context } = await open(ada, { path: '/', ...phoneBrowserOptions });
  await expect(getBarLink(page, 'Profile')).toBeVisible();

  await test.step('five links of at least 44 px, at the bottom of the window', async () => {
    await expect(getNavigationBar(page).getByRole('link')).toHaveText([
      'Home',
      'Browse',
      'Post',
      'Messages',
      'ASProfile',
    ]);
    for (const link of await getNavigationBar(page).getByRole('link').all()) {
      const box = await link.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    }
    expect(await getGapBelowBar(page)).toBe(0);
    await expect(getBarLink(page, 'Home')).toHaveAttribute('aria-current', 'page');
    await expectAccessible(page);
  });

  await test.step('it stays clear of the home indicator', async () => {
    const session = await context.newCDPSession(page);
    const getLinkBottom = () => getBarLink(page, 'Home').evaluate((it) => it.getBoundingClientRect().bottom);
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 34 } });
    await expect.poll(getLinkBottom).toBe(740 - 34);
    expect(await getGapBelowBar(page)).toBe(0);
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 0 } });
    await expect.poll(getLinkBottom).toBe(740);
  });

  await test.step('the end of the page is not covered', async () => {
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const footer = await page.getByRole('contentinfo').boundingBox();
    const box = await getNavigationBar(page).boundingBox();
    expect((footer?.y ?? 0) + (footer?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + 1);
  });

  await test.step('every link opens its screen', async () => {
    await getBarLink(page, 'Browse').tap();
    await expect(getPageHeading(page, 'Browse')).toBeVisible();
    await expect(getBarLink(page, 'Browse')).toHaveAttribute('aria-current', 'page');
    await page
      .getByRole('navigation', { name: 'All categories' })
      .getByRole('link', { name: 'Rentals' })
      .tap();
    await expect(getPageHeading(page, /Rent What You Need/)).toBeVisible();
    await expect(getBarLink(page, 'Browse')).toHaveAttribute('aria-current', 'true');
    await getBarLink(page, 'Messages').tap();
    await expect(getPageHeading(page, 'Messages')).toBeVisible();
    await getBarLink(page, 'Profile').tap();
    await expect(getPageHeading(page, 'Ada Seller')).toBeVisible();
    await getBarLink(page, 'Post').tap();
    await expect(getPageHeading(page, 'Post Your Ad')).toBeVisible();
    await expect(getNavigationBar(page).locator('[aria-current]:visible')).toHaveText('Post');
  });

  await test.step('it hides while the keyboard is open, and only then', async () => {
    await page.getByLabel('Title').tap();
    await expect(getNavigationBar(page)).toBeHidden();
    await page.getByLabel('Category').focus();
    await expect(getNavigationBar(page)).toBeVisible();
  });

  await test.step('a thread ends above it, and at the bottom of the window while writing', async () => {
    await writeAll(ben, talks[0], ['Is it still available?']);
    await page.goto(`/messages?c=${talks[0]?.id}`);
    const input = page.getByPlaceholder('Type your message...');
    await expect(input).toBeInViewport({ ratio: 1 });
    const barTop = (await getNavigationBar(page).boundingBox())?.y ?? 0;
    const field = await input.boundingBox();
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(barTop);
    expect(barTop - (field?.y ?? 0)).toBeLessThan(100);
    await input.tap();
    await expect(getNavigationBar(page)).toBeHidden();
    await expect.poll(async () => (await input.boundingBox())?.y ?? 0).toBeGreaterThan((field?.y ?? 0) + 40);
    await input.blur();
    await expect(getNavigationBar(page)).toBeVisible();
    // Shortly after the bar has appeared, the conversation becomes shorter, which moves the input field back.
    await expect.poll(async () => (await input.boundingBox())?.y).toBe(field?.y);
    await input.focus();
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  });

  await test.step('a tap below the field that has the focus reaches its target before the bar returns', async () => {
    const input = page.getByPlaceholder('Type your message...');
    await input.fill('Yes, come by at five.');
    await page.getByRole('button', { name: 'Send' }).tap();
    await expect(input).toHaveValue('');
    await expect(
      page.getByRole('region', { name: /^Messages with/ }).getByText('Yes, come by at five.'),
    ).toBeVisible();
    await page.getByRole('heading', { level: 1 }).focus();
    await expect(getNavigationBar(page)).toBeVisible();
  });

  await test.step('a press on a button holds it back, however long the press lasts', async () => {
    await page.getByPlaceholder('Type your message...').fill('Or at six.');
    const box = await page.getByRole('button', { name: 'Send' }).boundingBox();
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
    await page.mouse.down();
    await expect(page.getByRole('button', { name: 'Send' })).toBeFocused();
    await page.evaluate(() => {
      for (const animation of document.getAnimations()) animation.currentTime = 30_000;
    });
    await page.mouse.up();
    await expect(page.getByRole('region', { name: /^Messages with/ }).getByText('Or at six.')).toBeVisible();
    await page.getByRole('heading', { level: 1 }).focus();
    await expect(getNavigationBar(page)).toBeVisible();
  });

  await test.step('in a short window it is slimmer, and the header scrolls away', async () => {
    await page.goto('/about');
    await page.setViewportSize({ width: 568, height: 320 });
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2));
    await expect(page.getByRole('banner')).not.toBeInViewport();
    expect(await getGapBelowBar(page)).toBe(0);
    const { height = 0 } = (await getNavigationBar(page).boundingBox()) ?? {};
    expect(height).toBe(45);
    for (const link of await getNavigationBar(page).getByRole('link').all())
      expect((await link.boundingBox())?.height).toBe(44);
    await page.setViewportSize(phoneBrowserOptions.viewport);
  });

  await test.step('Logout is on the profile, and visitors get Log In', async () => {
    await getBarLink(page, 'Profile').tap();
    await page.getByRole('main').getByRole('button', { name: 'Logout' }).tap();
    await expect(getPageHeading(page, /already on campus/)).toBeVisible();
    await getBarLink(page, 'Messages').tap();
    await expect(page).toHaveURL(/\/login\?from=/);
    await getBarLink(page, 'Log In').tap();
    await expect(getBarLink(page, 'Log In')).toHaveAttribute('aria-current', 'page');
  });
});

test('/browse shows all categories and all listings, newest first, and can be filtered', async ({
  quad,
  browser,
}) => {
  const seller = await signUp(quad, 'Casey Browse', createUniqueEmailAddress('casey.browse'));
  const titles = ['A kettle that whistles', 'A bicycle with a basket', 'A lamp with a long arm'];
  for (const [index, category] of (['kitchen', 'rentals', 'game-day'] as const).entries())
    await postListing(quad, seller, titles[index] ?? '', { category, price: 1000 + index });
  const page = await (await browser.newContext({ baseURL: quad.url, ...phoneBrowserOptions })).newPage();
  const main = page.getByRole('main');
  const cardTitles = main.getByRole('heading', { level: 3 });

  await page.goto('/');
  await main.getByRole('link', { name: 'View All' }).tap();
  await expect(page).toHaveURL(/\/browse$/);
  await expect(page).toHaveTitle('Browse all listings · Quad');
  await expect(cardTitles.nth(2)).toHaveText(titles[0] ?? '');
  expect((await cardTitles.allTextContents()).slice(0, 3)).toEqual(titles.toReversed());
  await expect(main.getByRole('navigation', { name: 'All categories' }).getByRole('link')).toHaveCount(
    categories.length,
  );
  await expect(main.getByRole('link', { name: 'My Listings' })).toHaveAttribute('href', '/my-listings');
  const first = await main
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading') })
    .first()
    .boundingBox();
  const header = await page.getByRole('banner').boundingBox();
  expect((first?.y ?? 0) - (header?.height ?? 0)).toBeLessThanOrEqual(300);
  await expectAccessible(page);

  await test.step('it has the filters of the search', async () => {
    await main.getByText('Filters', { exact: true }).tap();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByLabel('Category').selectOption('Kitchen');
    await sheet.getByLabel('Price Range').selectOption('$100+');
    await sheet.getByRole('button', { name: 'Show 1 result', exact: true }).tap();
    await expect(page).toHaveURL(/\/browse\?category=kitchen&price=100-$/);
    await expect(cardTitles).toHaveText([titles[0] ?? '']);
    await waitForPageHistoryEntry(page);
    await page.reload();
    await expect(cardTitles).toHaveText([titles[0] ?? '']);
  });

  await test.step('a new listing is at the top of the cached page', async () => {
    const { headers } = await fetch(`${quad.url}/browse`);
    expect(headers.get('cache-control')).toContain('public');
    await postListing(quad, seller, 'A mirror in a golden frame', { category: 'furniture' });
    await page.goto('/browse');
    await expect(cardTitles.first()).toHaveText('A mirror in a golden frame');
  });

  await test.step('an empty search leads there', async () => {
    await page.goto('/search?q=unicorn');
    await main.getByRole('link', { name: 'Browse All Listings' }).tap();
    await expect(getPageHeading(page, 'Browse')).toBeVisible();
  });
  await page.context().close();
});

test('a tap on the search box in the header focuses it at once and shows earlier searches and suggestions', async ({
  quad,
  browser,
}) => {
  const seller = await signUp(quad, 'Casey Search', createUniqueEmailAddress('casey.search'));
  await postListing(quad, seller, 'Ukulele with four strings', { category: 'electronics' });
  const context = await browser.newContext({ baseURL: quad.url, ...phoneBrowserOptions });
  const page = await context.newPage();
  const box = getSearchBox(page);
  const options = page.getByRole('banner').getByRole('option');
  await page.goto('/about');
  await expect(getBarLink(page, 'Log In')).toBeVisible();
  await box.tap();
  await expect(box).toBeFocused();
  await expect(page).toHaveURL(/\/about$/);
  await expect(options.first()).toHaveText('Game DayCategory');
  await expect(getNavigationBar(page)).toBeHidden();
  for (const option of await options.all()) expect((await option.boundingBox())?.width).toBe(360);
  await expectAccessible(page);

  await test.step('a tap beside the suggestions closes them and opens nothing', async () => {
    await page.touchscreen.tap(180, 700);
    await expect(options).toHaveCount(0);
    await expect(box).not.toBeFocused();
    await expect(getNavigationBar(page)).toBeVisible();
    await expect(page).toHaveURL(/\/about$/);
  });

  await test.step('a suggested title opens its listing, and a search is remembered', async () => {
    await box.tap();
    await page.keyboard.type('ukul');
    await options.filter({ hasText: 'Ukulele' }).tap();
    await expect(getPageHeading(page, 'Ukulele with four strings')).toBeVisible();
    await box.fill('ukulele');
    await box.press('Enter');
    await expect(getPageHeading(page, 'Search Results')).toBeFocused();
    await page.goto('/');
    await box.tap();
    await expect(options).toHaveText([/^ukulele/]);
    await options.first().tap();
    await expect(page).toHaveURL(/\/search\?q=ukulele$/);
  });
  await context.close();

  await test.step('without scripts it is a form that leads to the search page', async () => {
    const plain = await browser.newContext({
      baseURL: quad.url,
      ...phoneBrowserOptions,
      javaScriptEnabled: false,
    });
    const plainPage = await plain.newPage();
    await plainPage.goto('/');
    await getSearchBox(plainPage).fill('ukulele');
    await plainPage.getByRole('banner').getByRole('button', { name: 'Search' }).tap();
    await expect(getPageHeading(plainPage, 'Search Results')).toBeVisible();
    await expect(plainPage.getByText('1 result for "ukulele"')).toBeVisible();
    await plain.close();
  });
});

test('the unread count is in view on every screen at every width, however far it is scrolled', async ({
  quad,
  browser,
  meet,
  writeAll,
}) => {
  test.slow();
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], ['one', 'two']);
  const listing = await postListing(quad, ben, 'A chair to look at');
  const paths = [
    '/',
    '/browse',
    '/category/rentals',
    `/listing/${listing.slug}`,
    '/search?q=chair',
    '/reset-password/some-token',
    '/profile?tab=settings',
    '/profile/edit',
    '/post-ad',
    '/my-listings',
    '/terms',
    '/no/such/page',
  ];
  const unread = (page: Page) => page.getByRole('link', { name: /^Messages\D*2\D*unread$/ });
  const isUnreadInView = (page: Page): Promise<boolean> =>
    unread(page).evaluateAll((all) =>
      all.some((it) => {
        const { top, bottom, left, right, width } = it.getBoundingClientRect();
        return width > 0 && top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
      }),
    );
  const visitAll = async (
    device: Parameters<typeof openSignedInBrowser>[3],
    sizes: { width: number; height: number }[],
  ): Promise<void> => {
    const context = await openSignedInBrowser(browser, quad, ada, device);
    const page = await context.newPage();
    for (const path of paths) {
      await page.goto(path);
      await expect(unread(page).first()).toBeAttached();
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const end of [0, 1]) {
          await page.evaluate((part) => window.scrollTo(0, part * document.body.scrollHeight), end);
          const where = `${path} at ${size.width} px, scrolled to ${end}`;
          await expect.poll(() => isUnreadInView(page), where).toBe(true);
        }
      }
    }
    await context.close();
  };
  await Promise.all([
    visitAll(phoneBrowserOptions, [phoneBrowserOptions.viewport, { width: 568, height: 320 }]),
    visitAll({}, [
      { width: 768, height: 1024 },
      { width: 1280, height: 900 },
    ]),
  ]);
});
