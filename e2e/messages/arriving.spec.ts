import { expect, type Page } from '@playwright/test';
import { intercept } from '../support/test.ts';
import {
  getConversationId,
  getConversationRows,
  getMessageInput,
  getThreadRegion,
  phoneBrowserOptions,
  test,
} from './screen.ts';

const getBackLink = (page: Page) => page.getByRole('link', { name: 'Back to conversations' });
const getTryAgainButton = (page: Page) => page.getByRole('main').getByRole('button', { name: 'Try again' });
const conversationUrlPattern = /\/rest\/v1\/conversations(\/[^/]+)?(\?.*)?$/;

for (const [device, options] of Object.entries({ 'a phone': phoneBrowserOptions, 'a wide screen': {} })) {
  test(`a thread opened by URL on ${device} shows loading and failure, and loads after a retry`, async ({
    meet,
    open,
    writeAll,
  }) => {
    const { ada, ben, talks } = await meet();
    await writeAll(ben, talks[0], ['Is it bright?']);
    const { context, page } = await open(ada, { ...options, path: '/about' });
    // Block live delivery, because joining its channel would reload the inbox before the test
    // presses the Try again button.
    await context.routeWebSocket(/\/realtime\//, () => {});
    const small = 'hasTouch' in options;
    for (const status of [503, 500, 0]) {
      let end: (status: number) => void = () => {};
      const ended = new Promise<number>((resolve) => {
        end = resolve;
      });
      await intercept(page, conversationUrlPattern, async (route) => {
        const code = await ended;
        if (code === 0) return route.abort();
        return route.fulfill({ status: code, json: { code: 'internal', error: 'said by the test' } });
      });
      await page.goto(`/messages?c=${getConversationId(talks[0])}`);
      await expect(page.getByRole('region', { name: 'Conversation', exact: true })).toContainText(
        'Loading messages',
      );
      if (small) await expect(getBackLink(page)).toBeVisible();
      end(status);
      await expect(
        page
          .getByRole('region', { name: 'Conversation', exact: true })
          .getByText('Failed to load conversation'),
      ).toBeVisible();
      if (small) await expect(getBackLink(page)).toBeVisible();
      await page.unroute(conversationUrlPattern);
      await getTryAgainButton(page).last().click();
      await expect(getThreadRegion(page).getByText('Is it bright?')).toBeVisible();
      await expect(getMessageInput(page)).toBeVisible();
    }
  });

  test(`opening an unknown conversation or someone else's on ${device} shows an error with a link to the list`, async ({
    meet,
    open,
    writeAll,
  }) => {
    const { ada, ben, talks } = await meet();
    await writeAll(ben, talks[0], ['Is it bright?']);
    const foreign = await meet();
    const { page } = await open(ada, options);
    for (const id of [
      getConversationId(foreign.talks[0]),
      '7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f11',
      'nonsense',
    ]) {
      await page.goto(`/messages?c=${id}`);
      await expect(page.getByText('This conversation doesn’t exist, or it isn’t yours.')).toBeVisible();
      await expect(getTryAgainButton(page)).toHaveCount(0);
      await page.getByRole('link', { name: 'All conversations' }).click();
      await expect(getConversationRows(page).first()).toBeVisible();
    }
  });
}

test('the back arrow of a thread on a phone adds nothing to the history', async ({
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
  for (let visits = 0; visits < 3; visits += 1) {
    await getConversationRows(page).first().tap();
    await expect(getMessageInput(page)).toBeVisible();
    await getBackLink(page).tap();
    await expect(page).toHaveURL('/messages');
    await expect(getConversationRows(page).first()).toBeFocused();
  }
  expect(await depth()).toBe(before + 1);
  await page.goBack();
  await expect(page).toHaveURL('/about');

  await test.step('nor where the thread was opened by its address', async () => {
    await page.goto(`/messages?c=${getConversationId(talks[0])}`);
    await expect(getMessageInput(page)).toBeVisible();
    const opened = await depth();
    await getBackLink(page).tap();
    await expect(getConversationRows(page).first()).toBeVisible();
    expect(await depth()).toBe(opened);
    await page.goBack();
    await expect(page).toHaveURL('/about');
  });

  await test.step('Back from a thread that an email opened leads to the list, not out of the app', async () => {
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
    await page.goBack();
    await expect(getConversationRows(page).first()).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/about');
  });
});
