import { expect, type Page } from '@playwright/test';
import { test } from './messages/screen.ts';

const phoneBrowserOptions = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
} as const;

const getNavigationBar = (page: Page) => page.getByRole('navigation', { name: 'Main' });
const getBarLink = (page: Page, name: string | RegExp) => getNavigationBar(page).getByRole('link', { name });
const getPageHeading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

test('on a phone, the bottom bar opens the screens, and makes room for the keyboard and the home indicator', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], ['Is it still available?']);
  const { page, context } = await open(ada, { path: '/', ...phoneBrowserOptions });
  const input = page.getByPlaceholder('Type your message...');
  const thread = page.getByRole('region', { name: /^Messages with/ });

  await test.step('it counts unread messages, and stays clear of the home indicator', async () => {
    await expect(getBarLink(page, /^Messages\D*1\D*unread$/)).toBeInViewport({ ratio: 1 });
    const session = await context.newCDPSession(page);
    const getLinkBottom = () => getBarLink(page, 'Home').evaluate((it) => it.getBoundingClientRect().bottom);
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 34 } });
    await expect.poll(getLinkBottom).toBe(740 - 34);
    await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 0 } });
    await expect.poll(getLinkBottom).toBe(740);
  });

  await test.step('every link opens its screen', async () => {
    await getBarLink(page, 'Browse').tap();
    await expect(getPageHeading(page, 'Browse')).toBeVisible();
    await expect(getBarLink(page, 'Browse')).toHaveAttribute('aria-current', 'page');
    await getBarLink(page, 'Profile').tap();
    await expect(getPageHeading(page, 'Ada Seller')).toBeVisible();
    await getBarLink(page, 'Post').tap();
    await expect(getPageHeading(page, 'Post Your Ad')).toBeVisible();
  });

  await test.step('posting fills the window until it is closed', async () => {
    await expect(getNavigationBar(page)).toBeHidden();
    await page.getByRole('button', { name: 'Close' }).tap();
    await expect(getPageHeading(page, 'Ada Seller')).toBeVisible();
    await expect(getNavigationBar(page)).toBeVisible();
  });

  await test.step('it hides while the keyboard is open, and only then', async () => {
    await page.goto('/contact');
    await page.getByLabel('Name').tap();
    await expect(getNavigationBar(page)).toBeHidden();
    await page.getByLabel('Topic').focus();
    await expect(getNavigationBar(page)).toBeVisible();
  });

  await test.step('a thread fills the window until Back leads to the list', async () => {
    await getBarLink(page, /^Messages/).tap();
    await expect(getPageHeading(page, 'Messages')).toBeVisible();
    await page.getByRole('region', { name: 'Conversations' }).getByRole('link').tap();
    await expect(input).toBeInViewport({ ratio: 1 });
    await expect(getNavigationBar(page)).toBeHidden();
    const field = await input.boundingBox();
    expect((field?.y ?? 0) + (field?.height ?? 0)).toBeGreaterThan(740 - 30);
    await input.tap();
    expect(await input.boundingBox()).toEqual(field);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    await input.fill('Yes, come by at five.');
    await page.getByRole('button', { name: 'Send' }).tap();
    await expect(input).toHaveValue('');
    await expect(thread.getByText('Yes, come by at five.')).toBeVisible();
    await page.getByRole('link', { name: 'Back to conversations' }).tap();
    await expect(getNavigationBar(page)).toBeVisible();
  });

  await test.step('Logout is on the profile, and visitors get Log In', async () => {
    await getBarLink(page, 'Profile').tap();
    await page.getByRole('main').getByRole('button', { name: 'Logout' }).tap();
    await expect(getPageHeading(page, /already on campus/)).toBeVisible();
    await getBarLink(page, 'Messages').tap();
    await expect(page).toHaveURL(/\/login\?from=/);
    await expect(getBarLink(page, 'Log In')).toBeVisible();
  });
});
