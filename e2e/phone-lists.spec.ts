import { expect, type Page, test } from '@playwright/test';
import { type Quad, startQuad } from './support/quad.ts';
import { postListing, signUp } from './support/students.ts';

// Lists of listings on a phone.

let quad: Quad;
test.beforeAll(async () => {
  quad = await startQuad();
});
test.afterAll(() => quad.stop());

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

const card = (page: Page, title: string) =>
  page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: title }) });

test('a card shows six words of its title, price, age, short location and verified mark', async ({
  page,
}) => {
  const seller = await signUp(quad, 'Casey Phone', 'casey.phone@usc.edu');
  const title = 'Oak desk with two large drawers';
  await postListing(quad, seller, title, { category: 'kitchen', location: 'Parkside Apartments, room 214' });
  await page.goto(`${quad.url}/category/kitchen`);
  const shown = card(page, title);
  await expect(shown).toContainText('$40');
  await expect(shown).toContainText('Good · 1 min');
  await expect(shown).toContainText('Parkside Apartments');
  await expect(shown).not.toContainText('room 214');
  await expect(shown.getByRole('img', { name: 'Verified' })).toBeVisible();
  for (const text of [title, 'Parkside Apartments', 'Casey Phone']) {
    const cut = await shown.getByText(text, { exact: true }).evaluate((element) => {
      const box = element.closest('h3') ?? element;
      return box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
    });
    expect(cut, text).toBe(false);
  }
});

test('hydration keeps the age that the server wrote, whatever the clock of the phone says', async ({
  page,
}) => {
  const seller = await signUp(quad, 'Casey Clock', 'casey.clock@usc.edu');
  await postListing(quad, seller, 'Desk lamp with a warm bulb', { category: 'electronics' });
  const { created_at } = (await (await fetch(`${quad.url}/rest/v1/listings?category=electronics`)).json())
    .items[0];
  await page.clock.setFixedTime(new Date(Date.parse(created_at) + 5 * 3600_000));
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.goto(`${quad.url}/category/electronics`);
  await page.getByRole('button', { name: /^Favorite/ }).tap();
  await expect(page.getByRole('button', { name: /^Favorite/, pressed: true })).toBeVisible();
  await expect(card(page, 'Desk lamp').locator('time')).toHaveText('1 min');
  expect(problems).toEqual([]);
});
