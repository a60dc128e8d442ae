import { expect, type Page } from '@playwright/test';
import { intercept } from '../support/test.ts';
import {
  test as base,
  getConversationId,
  getConversationRows,
  getMessageInput,
  getMessageTexts,
  getSendButton,
  getThreadRegion,
  typeAndSend,
} from './screen.ts';

const test = base.extend<{
  /**
   * Opens Ben's thread, which contains a "hello" from Ada. Returns the page, and as `path` the URL pattern of
   * the requests that send Ben's messages.
   */
  greet(): Promise<{ page: Page; path: string }>;
}>({
  greet: ({ meet, open, writeAll }, use) =>
    use(async () => {
      const { ada, ben, talks } = await meet();
      await writeAll(ada, talks[0], ['hello']);
      const { page } = await open(ben);
      await expect(getThreadRegion(page)).toBeVisible();
      return { page, path: `**/rest/v1/conversations/${getConversationId(talks[0])}/messages` };
    }),
});

test('each conversation keeps its draft until the draft is sent or the account logs out', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet(['Walnut desk lamp', 'Oak bookshelf tall']);
  await writeAll(ada, talks[0], ['a']);
  await writeAll(ada, talks[1], ['b']);
  const { page } = await open(ben, { path: `/messages?c=${getConversationId(talks[0])}` });
  await getMessageInput(page).fill('half a sentence about the lamp');
  await getConversationRows(page).first().click();
  await expect(getThreadRegion(page).getByText('b', { exact: true })).toBeVisible();
  await expect(getMessageInput(page)).toHaveValue('');
  await getMessageInput(page).fill('about the shelf');
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).first().click();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await expect(getMessageInput(page)).toHaveValue('about the shelf');
  await getConversationRows(page).nth(1).click();
  await expect(getMessageInput(page)).toHaveValue('half a sentence about the lamp');
  await page.reload();
  await expect(getMessageInput(page)).toHaveValue('half a sentence about the lamp');

  await test.step('sending ends a draft', async () => {
    await getMessageInput(page).press('Enter');
    await expect.poll(() => getMessageTexts(page)).toEqual(['a', 'half a sentence about the lamp']);
    await page.reload();
    await expect(getThreadRegion(page).getByText('half a sentence about the lamp')).toBeVisible();
    await expect(getMessageInput(page)).toHaveValue('');
  });

  await test.step('logging out leaves nothing behind', async () => {
    await page
      .getByRole('button', { name: /account|menu/i })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])),
    ).not.toContain('about the shelf');
  });
});

test('Enter sends a message while the earlier messages are still loading', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ada, talks[0], ['hello']);
  const { page } = await open(ben, { path: '/safety' });
  let letThrough = () => {};
  const held = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await intercept(page, `**/rest/v1/conversations/${getConversationId(talks[0])}/messages`, async (route) => {
    if (route.request().method() === 'GET') await held;
    await route.continue();
  });
  await page.goto('/messages');
  await expect(page.getByText('Loading messages')).toBeAttached();
  await typeAndSend(page, 'quick answer');
  await expect.poll(() => getMessageTexts(page)).toEqual(['quick answer']);
  await expect(page.getByText('Sending')).toHaveCount(0);
  await expect(getMessageInput(page)).toHaveValue('');
  letThrough();
  await expect.poll(() => getMessageTexts(page)).toEqual(['hello', 'quick answer']);
});

test('a refused message returns to the input with its reason, before text typed in the meantime', async ({
  greet,
}) => {
  const { page, path } = await greet();
  let release = () => {};
  await intercept(page, path, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await new Promise<void>((done) => {
      release = done;
    });
    return route.fulfill({ status: 429, json: { error: 'Slow down', code: 'rate_limited' } });
  });
  await typeAndSend(page, 'an offer');
  await expect(getThreadRegion(page).getByText('Sending…')).toBeVisible();
  await expect(getSendButton(page)).toBeDisabled();
  await getMessageInput(page).fill('and a thought');
  await expect(getSendButton(page)).toBeDisabled();
  release();
  await expect(page.getByText('Failed to send message')).toBeVisible();
  await expect(getMessageInput(page)).toHaveValue('an offer\nand a thought');
  expect(await getMessageTexts(page)).toEqual(['hello']);
  await page.unroute(path);
  await getMessageInput(page).press('Enter');
  await expect.poll(() => getMessageTexts(page)).toEqual(['hello', 'an offer\nand a thought']);

  await test.step('an answer lost on the way is no failure: sent again under its name, it is stored once', async () => {
    let lost = 0;
    await intercept(page, path, async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.fallback();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await typeAndSend(page, 'only once');
    await expect.poll(() => getMessageTexts(page)).toEqual(['hello', 'an offer\nand a thought', 'only once']);
    await page.reload();
    await expect.poll(() => getMessageTexts(page)).toEqual(['hello', 'an offer\nand a thought', 'only once']);
    expect(lost).toBe(1);
  });

  await test.step('a failure is said on another screen, too, and the text waits where it was typed', async () => {
    await intercept(page, path, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { error: 'no', code: 'internal' } })
        : route.fallback(),
    );
    await typeAndSend(page, 'gone for a walk');
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).first().click();
    await expect(page).toHaveURL('/');
    await expect(page.getByText('Failed to send message')).toBeVisible();
    await page.goBack();
    await expect(getMessageInput(page)).toHaveValue('gone for a walk');
  });
});

test('promise 27: the same text sent three times is three messages, even if events precede the responses', async ({
  greet,
}) => {
  const { page, path } = await greet();
  const stored = () => getThreadRegion(page).locator('li time').count();
  let answers = 0;
  // Delay each response until the page shows the time of the sent message. The page shows the time once the
  // message has arrived over the live channel.
  await intercept(page, path, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const response = await route.fetch();
    await expect.poll(stored).toBe(answers + 2);
    await route.fulfill({ response });
    answers += 1;
  });
  for (let time = 0; time < 3; time += 1) await typeAndSend(page, 'Hi');
  expect(await getMessageTexts(page)).toEqual(['hello', 'Hi', 'Hi', 'Hi']);
  const seen: number[] = [];
  await expect
    .poll(async () => {
      seen.push((await getMessageTexts(page)).length);
      return answers;
    })
    .toBe(3);
  expect(await stored()).toBe(4);
  expect(Math.max(...seen)).toBe(4);
  expect(await getMessageTexts(page)).toEqual(['hello', 'Hi', 'Hi', 'Hi']);
  await page.reload();
  await expect.poll(() => getMessageTexts(page)).toEqual(['hello', 'Hi', 'Hi', 'Hi']);
});
