import { expect, type Page } from '@playwright/test';
import { intercept } from '../support/test.ts';
import {
  buildNumberedStrings,
  getConversationId,
  getConversationRows,
  getMessageInput,
  phoneBrowserOptions,
  test,
} from './screen.ts';

const listingTitles = buildNumberedStrings(60, 'Desk lamp no.');
const nextPageUrlPattern = '**/rest/v1/conversations?cursor=*';

/**
 * Waits until the inbox has reloaded, which it does after joining the live channel, so that this cannot
 * happen later in the test.
 */
const waitForInboxReload = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          performance.getEntriesByType('resource').filter(({ name }) => /\/v1\/conversations$/.test(name))
            .length,
      ),
    )
    .toBeGreaterThanOrEqual(2);

const scrollToEnd = (page: Page): Promise<void> => getConversationRows(page).last().scrollIntoViewIfNeeded();

test('the list of conversations loads more near its end, without gaps or duplicates', async ({
  meet,
  open,
  writeAll,
}) => {
  test.slow();
  const { ada, ben, talks } = await meet(listingTitles);
  const { page, errors } = await open(ben);
  await expect(getConversationRows(page)).toHaveCount(50);
  await expect(page).toHaveURL(new RegExp(`c=${getConversationId(talks.at(-1))}`));
  await waitForInboxReload(page);

  await test.step('a message in a conversation that is not loaded moves it to the top', async () => {
    await writeAll(ada, talks[0], ['Is the first lamp still wanted?']);
    await expect(getConversationRows(page).first()).toContainText('Is the first lamp still wanted?');
    await expect(getConversationRows(page)).toHaveCount(51);
  });

  await test.step('scrolling loads the rest', async () => {
    await scrollToEnd(page);
    await expect(getConversationRows(page)).toHaveCount(60);
    await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
    const hrefs = await getConversationRows(page).evaluateAll((all) =>
      all.map((row) => row.getAttribute('href')),
    );
    expect(new Set(hrefs).size).toBe(60);
  });
  expect(errors).toEqual([]);
});

test('a page of conversations that failed to load is loaded by "Try again"', async ({ meet, open }) => {
  test.slow();
  const { ben } = await meet(listingTitles);
  const { page } = await open(ben, phoneBrowserOptions);
  await waitForInboxReload(page);
  await intercept(page, nextPageUrlPattern, (route) => route.abort());
  await scrollToEnd(page);
  await expect(page.getByRole('alert')).toHaveText('More conversations could not be loaded.');
  await page.unroute(nextPageUrlPattern);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(getConversationRows(page)).toHaveCount(60);
});

test('a link opens a conversation that is not on the first page', async ({ meet, open }) => {
  test.slow();
  const { ben, talks } = await meet(listingTitles);
  const { page } = await open(ben, { path: `/messages?c=${getConversationId(talks[0])}` });
  await expect(page.getByRole('region', { name: 'Conversation', exact: true })).toContainText(
    listingTitles[0] ?? '',
  );
  await expect(getMessageInput(page)).toBeVisible();
  await expect(getConversationRows(page)).toHaveCount(50);
});

test('a link to a conversation further down the list scrolls its row into view', async ({ meet, open }) => {
  const { ben, talks } = await meet(listingTitles.slice(0, 14));
  const { page } = await open(ben, { path: `/messages?c=${getConversationId(talks[0])}` });
  await expect(getConversationRows(page)).toHaveCount(14);
  await expect(getConversationRows(page).and(page.locator('[aria-current=true]'))).toBeInViewport();
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});
