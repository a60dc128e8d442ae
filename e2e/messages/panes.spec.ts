import { expect } from '@playwright/test';
import { createUniqueEmailAddress } from '../support/fixtures.ts';
import { postConversationMessage, signUp, turnOffQuietHours } from '../support/students.ts';
import { intercept } from '../support/test.ts';
import {
  buildNumberedStrings,
  getConversationId,
  getConversationRows,
  getMessageInput,
  getMessageTexts,
  getSendButton,
  getThreadRegion,
  phoneBrowserOptions,
  test,
} from './screen.ts';

test('the two panes show who wrote about what, when, and how much is unread', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet(['Walnut desk lamp', 'Oak bookshelf tall']);
  await writeAll(ben, talks[0], ['Is the lamp there?', 'Or sold?']);
  await writeAll(ada, talks[1], ['The shelf is 180 cm.']);
  const { page, errors } = await open(ben);

  await test.step('the first conversation opens by itself, and its address names it', async () => {
    await expect(page).toHaveURL(`/messages?c=${getConversationId(talks[1])}`);
    await expect(getThreadRegion(page).getByText('The shelf is 180 cm.', { exact: true })).toBeVisible();
  });

  await test.step('a row has the other party with badge, the title, the last words and the time', async () => {
    await expect(getConversationRows(page)).toHaveCount(2);
    const first = getConversationRows(page).first();
    await expect(first).toContainText('Ada Seller');
    await expect(first.getByRole('img', { name: 'Verified' })).toBeVisible();
    await expect(first).toContainText('Oak bookshelf tall');
    await expect(first).toContainText('The shelf is 180 cm.');
    await expect(first.locator('time')).toHaveText(/^\d{1,2}:\d{2} [AP]M$/);
    await expect(getConversationRows(page).nth(1)).toContainText('You: Or sold?');
  });

  await test.step('the thread is headed by the other party, the listing and its price', async () => {
    const header = page.getByRole('region', { name: 'Conversation', exact: true }).locator('header');
    await expect(header.getByRole('heading', { name: 'Ada Seller' })).toBeVisible();
    await expect(header.getByRole('img', { name: 'Verified' })).toBeVisible();
    await expect(header).toContainText('$40');
    await expect(header.getByRole('link', { name: 'Oak bookshelf tall' })).toHaveAttribute(
      'href',
      /^\/listing\/oak-bookshelf-tall-/,
    );
  });

  await test.step('own messages stand right, those of the other party left, under their day', async () => {
    await getConversationRows(page).nth(1).click();
    await expect(page).toHaveURL(`/messages?c=${getConversationId(talks[0])}`);
    await expect(getThreadRegion(page).getByText('Today', { exact: true })).toBeVisible();
    await writeAll(ada, talks[0], ['Still there.']);
    await expect(getThreadRegion(page).getByText('Still there.', { exact: true })).toBeVisible();
    const edges = await getThreadRegion(page).evaluate((box) => {
      const frame = box.getBoundingClientRect();
      return [...box.querySelectorAll('li > div:not([role=note])')].map((bubble) => {
        const { left, right } = bubble.getBoundingClientRect();
        return left - frame.left < frame.right - right ? 'left' : 'right';
      });
    });
    expect(edges).toEqual(['right', 'right', 'left']);
    await expect(getThreadRegion(page).locator('li time')).toHaveCount(3);
  });

  await test.step('an address that names no conversation says so, and leads back', async () => {
    for (const unknown of ['7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f11', 'nonsense']) {
      await page.goto(`/messages?c=${unknown}`);
      await expect(page.getByText('Failed to load conversation')).toBeVisible();
    }
    await page.getByRole('link', { name: 'All conversations' }).click();
    await expect(getThreadRegion(page).getByText('Still there.', { exact: true })).toBeVisible();
  });

  expect(errors).toEqual([]);
});

test('without conversations or messages, the screen says what to do', async ({ quad, meet, open }) => {
  const { ada, ben, talks } = await meet();
  await turnOffQuietHours(quad, ada);
  const clara = await signUp(quad, 'Clara', createUniqueEmailAddress('clara'));
  const alone = await open(clara);
  await expect(alone.page.getByText('No conversations yet')).toBeVisible();
  await expect(alone.page.getByRole('link', { name: 'Browse Listings' })).toHaveAttribute('href', '/browse');
  await alone.page.goto(`/messages?c=${getConversationId(talks[0])}`);
  await expect(alone.page.getByText('Failed to load conversation')).toBeVisible();

  const { page } = await open(ben);
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible();
  await expect(getSendButton(page)).toBeDisabled();
  await getMessageInput(page).fill('   ');
  await expect(getSendButton(page)).toBeDisabled();
  await getMessageInput(page).press('Enter');
  await expect(getMessageInput(page)).toHaveValue('   ');

  await test.step('Shift+Enter breaks the line, Enter sends', async () => {
    await getMessageInput(page).fill('');
    await getMessageInput(page).pressSequentially('first');
    await getMessageInput(page).press('Shift+Enter');
    await getMessageInput(page).pressSequentially('second');
    await expect(getMessageInput(page)).toHaveValue('first\nsecond');
    await expect(getSendButton(page)).toBeEnabled();
    await getMessageInput(page).press('Enter');
    await expect(getMessageInput(page)).toHaveValue('');
    await expect.poll(() => getMessageTexts(page)).toEqual(['first\nsecond']);
  });

  await test.step('the seller is told, and answers with the button', async () => {
    await quad.mail.take(ada.email, 'wrote to you about');
    const seller = await open(ada);
    await seller.page.getByRole('textbox', { name: 'Message' }).fill('Hello Ben');
    await getSendButton(seller.page).click();
    await expect.poll(() => getMessageTexts(page)).toEqual(['first\nsecond', 'Hello Ben']);
  });
});

test('a phone shows one pane at a time, and the focus moves into it', async ({ quad, meet, open }) => {
  const { ada, ben, talks } = await meet(buildNumberedStrings(12, 'Walnut desk lamp number'));
  for (const talk of talks) await postConversationMessage(quad, ben, talk, `about ${talk.listing.title}`);
  const { page } = await open(ada, phoneBrowserOptions);
  await expect(getConversationRows(page)).toHaveCount(12);
  await expect(page).toHaveURL('/messages');
  await expect(getMessageInput(page)).toBeHidden();

  await getConversationRows(page).nth(10).click();
  await expect(page).toHaveURL(`/messages?c=${getConversationId(talks[1])}`);
  await expect(
    getThreadRegion(page).getByText('about Walnut desk lamp number 2', { exact: true }),
  ).toBeInViewport();
  await expect(getMessageInput(page)).toBeInViewport();
  await expect(page.getByRole('heading', { name: 'Ben Buyer' })).toBeFocused();
  await expect(getConversationRows(page).first()).toBeHidden();

  await page.getByRole('link', { name: 'Back to conversations' }).click();
  await expect(page).toHaveURL('/messages');
  await expect(getConversationRows(page).nth(10)).toBeFocused();
  await expect(getConversationRows(page).nth(10)).toBeInViewport();

  await test.step('an address that names a conversation opens it at once', async () => {
    await page.goto(`/messages?c=${getConversationId(talks[0])}`);
    await expect(
      getThreadRegion(page).getByText('about Walnut desk lamp number 1', { exact: true }),
    ).toBeInViewport();
  });
});

test('conversations can be chosen, read and answered by the keyboard alone', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet(['Walnut desk lamp', 'Oak bookshelf tall']);
  await writeAll(ben, talks[0], ['About the lamp']);
  await writeAll(ben, talks[1], ['About the shelf']);
  const { page } = await open(ada);
  await expect(getThreadRegion(page)).toBeVisible();
  await getConversationRows(page).first().focus();
  await page.keyboard.press('Tab');
  await expect(getConversationRows(page).nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/messages?c=${getConversationId(talks[0])}`);
  await expect(getMessageInput(page)).toBeFocused();
  await page.keyboard.type('From the keys');
  await page.keyboard.press('Enter');
  await expect.poll(() => getMessageTexts(page)).toEqual(['About the lamp', 'From the keys']);
  await expect(getMessageInput(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(page.getByRole('button', { name: 'Hide safety tip' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(getThreadRegion(page)).toBeFocused();

  await test.step('only what is new is announced, politely', async () => {
    const region = page.locator('[aria-live=polite]').filter({ hasText: 'Ben Buyer' });
    await expect(region).toHaveCount(0);
    await writeAll(ben, talks[0], ['One more thing']);
    await expect(region).toHaveText('Ben Buyer: One more thing');
  });
});

test('promise 30: markup, right-to-left controls and emoji are plain text wherever they appear', async ({
  meet,
  open,
  writeAll,
}) => {
  const { ada, ben, talks } = await meet(['Lamp <b>bold</b> \u202Etfel ot thgir']);
  const hostile = [
    '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
    '<b>bold</b> &amp; javascript:alert(1) {{7*7}}',
    '\u202Eright to left\u202C \u2066isolated',
    '👩🏽‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 e\u0301',
    'שלום, עולם',
  ];
  const { page, errors } = await open(ada);
  for (const text of hostile) await writeAll(ben, talks[0], [text]);
  const shown = hostile.map((text) => text.replace(/[\u202A-\u202E\u2066-\u2069]/g, ''));
  await expect.poll(() => getMessageTexts(page)).toEqual(shown);
  await expect(getConversationRows(page).first()).toContainText('שלום, עולם');
  await expect(getConversationRows(page).first()).toContainText('Lamp <b>bold</b>');
  await expect(page).toHaveTitle(/Messages · Quad$/);
  await writeAll(ben, talks[0], [hostile[0] ?? '']);
  await expect(getConversationRows(page).first()).toContainText(hostile[0] ?? '');
  await expect(page.locator('main b, main script, main img[src="x"]')).toHaveCount(0);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);

  await test.step('a control in a text that was stored earlier turns nothing around it', async () => {
    await intercept(page, /\/rest\/v1\/conversations/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replaceAll(/right to left|<b>bold/g, '\u202E$&');
      await route.fulfill({ response, body });
    });
    await page.reload();
    await expect.poll(() => getMessageTexts(page)).toContain('\u202Eright to left isolated');
    const name = getConversationRows(page).first().getByText('Ben Buyer');
    const time = getConversationRows(page).first().locator('time');
    const [before, after] = [await name.boundingBox(), await time.boundingBox()];
    expect((before?.x ?? 0) < (after?.x ?? 0)).toBe(true);
    await expect(time).toHaveText(/^\d{1,2}:\d{2} [AP]M$/);
    await page.unrouteAll({ behavior: 'wait' });
  });
  expect(errors).toEqual([]);
});
