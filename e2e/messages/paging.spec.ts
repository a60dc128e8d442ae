import { expect, type Page } from '@playwright/test';
import {
  conversationRows,
  createNumberedTexts,
  messageInput,
  phone,
  test,
  toConversationId,
} from './screen.ts';

const titles = createNumberedTexts(60, 'Desk lamp no.');
const nextPages = '**/rest/v1/conversations?cursor=*';

/** Waits until the inbox has been reloaded after the page joined the live channel, so that no later reload replaces it. */
const waitUntilLive = (page: Page): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(
        () =>
          performance.getEntriesByType('resource').filter(({ name }) => /\/v1\/conversations$/.test(name))
            .length,
      ),
    )
    .toBeGreaterThanOrEqual(2);

const scrollToEnd = (page: Page): Promise<void> => conversationRows(page).last().scrollIntoViewIfNeeded();

test('the list of conversations loads more as its end comes near, none missing and none twice', async ({
  meet,
  open,
  writeAll,
}) => {
  test.slow();
  const { ada, ben, talks } = await meet(titles);
  const { page, errors } = await open(ben);
  await expect(conversationRows(page)).toHaveCount(50);
  await expect(page).toHaveURL(new RegExp(`c=${toConversationId(talks.at(-1))}`));
  await waitUntilLive(page);

  await test.step('a message in a conversation that is not loaded moves it to the top', async () => {
    await writeAll(ada, talks[0], ['Is the first lamp still wanted?']);
    await expect(conversationRows(page).first()).toContainText('Is the first lamp still wanted?');
    await expect(conversationRows(page)).toHaveCount(51);
  });

  await test.step('scrolling loads the rest', async () => {
    await scrollToEnd(page);
    await expect(conversationRows(page)).toHaveCount(60);
    await expect(page.getByRole('button', { name: 'Load more' })).toHaveCount(0);
    const hrefs = await conversationRows(page).evaluateAll((all) =>
      all.map((row) => row.getAttribute('href')),
    );
    expect(new Set(hrefs).size).toBe(60);
  });
  expect(errors).toEqual([]);
});

test('a page of conversations that could not be loaded is loaded by the button', async ({ meet, open }) => {
  test.slow();
  const { ben } = await meet(titles);
  const { page } = await open(ben, phone);
  await page.route(nextPages, (route) => route.abort());
  await scrollToEnd(page);
  await expect(page.getByRole('alert')).toHaveText('More conversations could not be loaded.');
  await page.unroute(nextPages);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(conversationRows(page)).toHaveCount(60);
});

test('a link opens a conversation that is not on the first page', async ({ meet, open }) => {
  test.slow();
  const { ben, talks } = await meet(titles);
  const { page } = await open(ben, { path: `/messages?c=${toConversationId(talks[0])}` });
  await expect(page.getByRole('region', { name: 'Conversation', exact: true })).toContainText(
    titles[0] ?? '',
  );
  await expect(messageInput(page)).toBeVisible();
  await expect(conversationRows(page)).toHaveCount(50);
});
