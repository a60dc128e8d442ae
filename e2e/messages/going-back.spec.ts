import { expect, type Page } from '@playwright/test';
import { intercept } from '../support/test.ts';
import {
  getConversationId,
  getConversationRows,
  getMessageInput,
  phoneBrowserOptions,
  test,
} from './screen.ts';

const getBackLink = (page: Page) => page.getByRole('link', { name: 'Back to conversations' });

test('promise 58: on a phone, Back leads from a thread to the list, and the back arrow adds nothing to the history', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], ['Is it bright?']);
  const { page } = await open(ada, { ...phoneBrowserOptions, path: '/about' });
  const depth = () => page.evaluate(() => history.length);
  await page.goto('/messages');
  const before = await depth();
  for (let visits = 0; visits < 2; visits += 1) {
    await getConversationRows(page).first().tap();
    await expect(getMessageInput(page)).toBeVisible();
    await getBackLink(page).tap();
    await expect(page).toHaveURL('/messages');
    await expect(getConversationRows(page).first()).toBeFocused();
  }
  expect(await depth()).toBe(before + 1);
  await page.goBack();
  await expect(page).toHaveURL('/about');

  await test.step('from a thread that an email opened, to the list and not out of the app', async () => {
    // Delay the conversation list and a script that is loaded late, so that both are still loading when the
    // list opens.
    const { promise: departure, resolve: reportDeparture } = Promise.withResolvers<void>();
    for (const late of [/\/rest\/v1\/conversations(\?.*)?$/, /\/scroll-and-focus-restoration-/]) {
      await intercept(page, late, async (route) => {
        await departure;
        await route.continue();
      });
    }
    await page.goto(`/messages?c=${getConversationId(talks[0])}`);
    await expect(getMessageInput(page)).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/messages');
    await expect(page.getByText('Loading conversations')).toBeAttached();
    reportDeparture();
    await expect(getConversationRows(page).first()).toBeFocused();
    await page.goForward();
    await expect(getMessageInput(page)).toBeVisible();
    await page.reload();
    await expect(getMessageInput(page)).toBeVisible();
    const opened = await depth();
    await getBackLink(page).tap();
    await expect(getConversationRows(page).first()).toBeVisible();
    expect(await depth()).toBe(opened);
    await page.goBack();
    await expect(page).toHaveURL('/about');
  });
});
