import { type Browser, expect, type Locator, type Page, test } from '@playwright/test';
import type { Conversation } from '../contract/conversations.ts';
import { type Quad, startQuad } from './support/quad.ts';
import { openBrowserOf, openTalk, postListing, type Student, signUp, write } from './support/students.ts';

let quad: Quad;
let counter = 0;
test.beforeAll(async () => {
  quad = await startQuad();
});
test.afterAll(() => quad.stop());

interface Pair {
  ada: Student;
  ben: Student;
  /** About listings of Ada's, opened by Ben. */
  talks: Conversation[];
}

/** A seller and a buyer with so many conversations; the last one is the latest. */
const meet = async (titles: readonly string[] = ['Walnut desk lamp']): Promise<Pair> => {
  counter += 1;
  const ada = await signUp(quad, 'Ada Seller', `ada.${counter}@usc.edu`);
  const ben = await signUp(quad, 'Ben Buyer', `ben.${counter}@example.com`);
  const talks: Conversation[] = [];
  for (const title of titles) talks.push(await openTalk(quad, ben, await postListing(quad, ada, title)));
  return { ada, ben, talks };
};

const writeAll = async (sender: Student, talk: Conversation | undefined, texts: readonly string[]) => {
  if (!talk) throw new Error('There is no such conversation');
  for (const text of texts) await write(quad, sender, talk, text);
};

const numbered = (count: number, word = 'message'): string[] =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}`);

/** A signed-in page at /messages, or at what is named; whatever goes wrong in it ends up in `errors`. */
const open = async (
  browser: Browser,
  student: Student,
  { path = '/messages', ...options }: Parameters<typeof openBrowserOf>[3] & { path?: string } = {},
) => {
  const context = await openBrowserOf(browser, quad, student, options);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(path);
  return { context, page, errors };
};

const input = (page: Page): Locator => page.getByPlaceholder('Type your message...');
const sendButton = (page: Page): Locator => page.getByRole('button', { name: 'Send' });
const thread = (page: Page): Locator => page.getByRole('region', { name: /^Messages with/ });
const rows = (page: Page): Locator => page.getByRole('region', { name: 'Conversations' }).getByRole('link');
const texts = (page: Page): Promise<string[]> => thread(page).locator('li p[dir]').allInnerTexts();
const say = async (page: Page, text: string): Promise<void> => {
  await input(page).fill(text);
  await input(page).press('Enter');
};
const idOf = (talk: Conversation | undefined): string => talk?.id ?? '';

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };

test('the two panes show who wrote about what, when, and how much is unread', async ({ browser }) => {
  const { ada, ben, talks } = await meet(['Walnut desk lamp', 'Oak bookshelf tall']);
  await writeAll(ben, talks[0], ['Is the lamp there?', 'Or sold?']);
  await writeAll(ada, talks[1], ['The shelf is 180 cm.']);
  const { context, page, errors } = await open(browser, ben);

  await test.step('the first conversation opens by itself, and its address names it', async () => {
    await expect(page).toHaveURL(`/messages?c=${idOf(talks[1])}`);
    await expect(thread(page).getByText('The shelf is 180 cm.', { exact: true })).toBeVisible();
  });

  await test.step('a row has the other party with badge, the title, the last words and the time', async () => {
    await expect(rows(page)).toHaveCount(2);
    const first = rows(page).first();
    await expect(first).toContainText('Ada Seller');
    await expect(first.getByRole('img', { name: 'Verified' })).toBeVisible();
    await expect(first).toContainText('Oak bookshelf tall');
    await expect(first).toContainText('The shelf is 180 cm.');
    await expect(first.locator('time')).toHaveText(/^\d{1,2}:\d{2} [AP]M$/);
    await expect(rows(page).nth(1)).toContainText('You: Or sold?');
  });

  await test.step('the thread is headed by the other party, the listing and its price', async () => {
    const header = page.getByRole('region', { name: 'Conversation', exact: true }).locator('header');
    await expect(header.getByRole('heading', { name: 'Ada Seller' })).toBeVisible();
    await expect(header.getByRole('img', { name: 'Verified' })).toBeVisible();
    await expect(header).toContainText('$40.00');
    await expect(header.getByRole('link', { name: 'Oak bookshelf tall' })).toHaveAttribute(
      'href',
      /^\/listing\/oak-bookshelf-tall-/,
    );
  });

  await test.step('own messages stand right, those of the other party left, under their day', async () => {
    await rows(page).nth(1).click();
    await expect(page).toHaveURL(`/messages?c=${idOf(talks[0])}`);
    await expect(thread(page).getByText('Today', { exact: true })).toBeVisible();
    await writeAll(ada, talks[0], ['Still there.']);
    await expect(thread(page).getByText('Still there.', { exact: true })).toBeVisible();
    const edges = await thread(page).evaluate((box) => {
      const frame = box.getBoundingClientRect();
      return [...box.querySelectorAll('li > div')].map((bubble) => {
        const { left, right } = bubble.getBoundingClientRect();
        return left - frame.left < frame.right - right ? 'left' : 'right';
      });
    });
    expect(edges).toEqual(['right', 'right', 'left']);
    await expect(thread(page).locator('li time')).toHaveCount(3);
  });

  await test.step('an address that names no conversation says so, and leads back', async () => {
    for (const unknown of ['7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f11', 'nonsense']) {
      await page.goto(`/messages?c=${unknown}`);
      await expect(page.getByText('Failed to load conversation')).toBeVisible();
    }
    await page.getByRole('link', { name: 'All conversations' }).click();
    await expect(thread(page).getByText('Still there.', { exact: true })).toBeVisible();
  });

  expect(errors).toEqual([]);
  await context.close();
});

test('where there is nothing yet, the screen says what to do', async ({ browser }) => {
  const { ada, ben, talks } = await meet();
  const clara = await signUp(quad, 'Clara', `clara.${counter}@usc.edu`);
  const alone = await open(browser, clara);
  await expect(alone.page.getByText('No conversations yet')).toBeVisible();
  await expect(alone.page.getByRole('link', { name: 'Browse Listings' })).toHaveAttribute('href', '/');
  await alone.page.goto(`/messages?c=${idOf(talks[0])}`);
  await expect(alone.page.getByText('Failed to load conversation')).toBeVisible();
  await alone.context.close();

  const { context, page } = await open(browser, ben);
  await expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible();
  await expect(sendButton(page)).toBeDisabled();
  await input(page).fill('   ');
  await expect(sendButton(page)).toBeDisabled();
  await input(page).press('Enter');
  await expect(input(page)).toHaveValue('   ');

  await test.step('Shift+Enter breaks the line, Enter sends', async () => {
    await input(page).fill('');
    await input(page).pressSequentially('first');
    await input(page).press('Shift+Enter');
    await input(page).pressSequentially('second');
    await expect(input(page)).toHaveValue('first\nsecond');
    await expect(sendButton(page)).toBeEnabled();
    await input(page).press('Enter');
    await expect(input(page)).toHaveValue('');
    await expect.poll(() => texts(page)).toEqual(['first\nsecond']);
  });

  await test.step('the seller is told, and answers with the button', async () => {
    expect((await quad.mail.take(ada.email)).subject).toContain('wrote to you about');
    const seller = await open(browser, ada);
    await seller.page.getByRole('textbox', { name: 'Message' }).fill('Hello Ben');
    await sendButton(seller.page).click();
    await expect.poll(() => texts(page)).toEqual(['first\nsecond', 'Hello Ben']);
    await seller.context.close();
  });
  await context.close();
});

test('a phone shows one pane at a time, and the focus goes along', async ({ browser }) => {
  const { ada, ben, talks } = await meet(numbered(12, 'Walnut desk lamp number'));
  for (const talk of talks) await write(quad, ben, talk, `about ${talk.listing.title}`);
  const { context, page } = await open(browser, ada, phone);
  await expect(rows(page)).toHaveCount(12);
  await expect(page).toHaveURL('/messages');
  await expect(input(page)).toBeHidden();

  await rows(page).nth(10).click();
  await expect(page).toHaveURL(`/messages?c=${idOf(talks[1])}`);
  await expect(thread(page).getByText('about Walnut desk lamp number 2', { exact: true })).toBeInViewport();
  await expect(input(page)).toBeInViewport();
  await expect(page.getByRole('heading', { name: 'Ben Buyer' })).toBeFocused();
  await expect(rows(page).first()).toBeHidden();

  await page.getByRole('link', { name: 'Back to conversations' }).click();
  await expect(page).toHaveURL('/messages');
  await expect(rows(page).nth(10)).toBeFocused();
  await expect(rows(page).nth(10)).toBeInViewport();

  await test.step('an address that names a conversation opens it at once', async () => {
    await page.goto(`/messages?c=${idOf(talks[0])}`);
    await expect(thread(page).getByText('about Walnut desk lamp number 1', { exact: true })).toBeInViewport();
  });
  await context.close();
});

test('the keyboard alone does everything', async ({ browser }) => {
  const { ada, ben, talks } = await meet(['Walnut desk lamp', 'Oak bookshelf tall']);
  await writeAll(ben, talks[0], ['About the lamp']);
  await writeAll(ben, talks[1], ['About the shelf']);
  const { context, page } = await open(browser, ada);
  await expect(thread(page)).toBeVisible();
  await rows(page).first().focus();
  await page.keyboard.press('Tab');
  await expect(rows(page).nth(1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/messages?c=${idOf(talks[0])}`);
  await expect(input(page)).toBeFocused();
  await page.keyboard.type('From the keys');
  await page.keyboard.press('Enter');
  await expect.poll(() => texts(page)).toEqual(['About the lamp', 'From the keys']);
  await expect(input(page)).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(thread(page)).toBeFocused();

  await test.step('only what is new is announced, politely', async () => {
    const region = page.locator('[aria-live=polite]').filter({ hasText: 'Ben Buyer' });
    await expect(region).toHaveCount(0);
    await writeAll(ben, talks[0], ['One more thing']);
    await expect(region).toHaveText('Ben Buyer: One more thing');
  });
  await context.close();
});

test('drafts stay with their conversation, for their account only', async ({ browser }) => {
  const { ada, ben, talks } = await meet(['Walnut desk lamp', 'Oak bookshelf tall']);
  await writeAll(ada, talks[0], ['a']);
  await writeAll(ada, talks[1], ['b']);
  const { context, page } = await open(browser, ben, { path: `/messages?c=${idOf(talks[0])}` });
  await input(page).fill('half a sentence about the lamp');
  await rows(page).first().click();
  await expect(thread(page).getByText('b', { exact: true })).toBeVisible();
  await expect(input(page)).toHaveValue('');
  await input(page).fill('about the shelf');
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).first().click();
  await expect(page).toHaveURL('/');
  await page.goBack();
  await expect(input(page)).toHaveValue('about the shelf');
  await rows(page).nth(1).click();
  await expect(input(page)).toHaveValue('half a sentence about the lamp');
  await page.reload();
  await expect(input(page)).toHaveValue('half a sentence about the lamp');

  await test.step('sending ends a draft', async () => {
    await input(page).press('Enter');
    await expect.poll(() => texts(page)).toEqual(['a', 'half a sentence about the lamp']);
    await page.reload();
    await expect(thread(page).getByText('half a sentence about the lamp')).toBeVisible();
    await expect(input(page)).toHaveValue('');
  });

  await test.step('logging out leaves nothing behind', async () => {
    await page
      .getByRole('button', { name: /account|menu/i })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await expect(page.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('about the shelf');
  });
  await context.close();
});

test('a refused message comes back with its reason, and nothing typed meanwhile is lost', async ({
  browser,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ada, talks[0], ['hello']);
  const { context, page } = await open(browser, ben);
  await expect(thread(page)).toBeVisible();
  const path = `**/rest/v1/conversations/${idOf(talks[0])}/messages`;
  let release = () => {};
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    await new Promise<void>((done) => {
      release = done;
    });
    return route.fulfill({ status: 429, json: { error: 'Slow down', code: 'rate_limited' } });
  });
  await say(page, 'an offer');
  await expect(thread(page).getByText('Sending…')).toBeVisible();
  await expect(sendButton(page)).toBeDisabled();
  await input(page).fill('and a thought');
  await expect(sendButton(page)).toBeDisabled();
  release();
  await expect(page.getByText('Failed to send message')).toBeVisible();
  await expect(input(page)).toHaveValue('an offer\nand a thought');
  expect(await texts(page)).toEqual(['hello']);
  await page.unroute(path);
  await input(page).press('Enter');
  await expect.poll(() => texts(page)).toEqual(['hello', 'an offer\nand a thought']);

  await test.step('an answer lost on the way is no failure: sent again under its name, it is stored once', async () => {
    let lost = 0;
    await page.route(path, async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.fallback();
      lost += 1;
      await route.fetch();
      return route.abort();
    });
    await say(page, 'only once');
    await expect.poll(() => texts(page)).toEqual(['hello', 'an offer\nand a thought', 'only once']);
    await page.reload();
    await expect.poll(() => texts(page)).toEqual(['hello', 'an offer\nand a thought', 'only once']);
    expect(lost).toBe(1);
  });

  await test.step('a failure is said on another screen, too, and the text waits where it was typed', async () => {
    await page.route(path, (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 500, json: { error: 'no', code: 'internal' } })
        : route.fallback(),
    );
    await say(page, 'gone for a walk');
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).first().click();
    await expect(page).toHaveURL('/');
    await expect(page.getByText('Failed to send message')).toBeVisible();
    await page.goBack();
    await expect(input(page)).toHaveValue('gone for a walk');
  });
  await context.close();
});

test('27. the same text three times quickly is three messages, and the event before the answer one bubble', async ({
  browser,
}) => {
  const { ada, ben, talks } = await meet();
  await writeAll(ada, talks[0], ['hello']);
  const { context, page } = await open(browser, ben);
  await expect(thread(page)).toBeVisible();
  // The answer to each sending comes half a second after the message itself.
  await page.route(`**/rest/v1/conversations/${idOf(talks[0])}/messages`, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    const response = await route.fetch();
    await new Promise((done) => setTimeout(done, 500));
    return route.fulfill({ response });
  });
  for (let time = 0; time < 3; time += 1) await say(page, 'Hi');
  expect(await texts(page)).toEqual(['hello', 'Hi', 'Hi', 'Hi']);
  const seen: number[] = [];
  await expect
    .poll(async () => {
      seen.push((await texts(page)).length);
      return thread(page).locator('li time').count();
    })
    .toBe(4);
  expect(Math.max(...seen)).toBe(4);
  expect(await texts(page)).toEqual(['hello', 'Hi', 'Hi', 'Hi']);
  await page.reload();
  await expect.poll(() => texts(page)).toEqual(['hello', 'Hi', 'Hi', 'Hi']);
  await context.close();
});

test('30. markup, right-to-left controls and emoji are inert text wherever they stand', async ({
  browser,
}) => {
  const { ada, ben, talks } = await meet(['Lamp <b>bold</b> \u202Etfel ot thgir']);
  const hostile = [
    '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
    '<b>bold</b> &amp; javascript:alert(1) {{7*7}}',
    '\u202Eright to left\u202C \u2066isolated',
    '👩🏽‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 e\u0301',
    'שלום, עולם',
  ];
  const { context, page, errors } = await open(browser, ada);
  for (const text of hostile) await writeAll(ben, talks[0], [text]);
  await expect.poll(() => texts(page)).toEqual(hostile);
  await expect(rows(page).first()).toContainText('שלום, עולם');
  await expect(rows(page).first()).toContainText('Lamp <b>bold</b>');
  await expect(page).toHaveTitle(/Messages · Quad$/);
  await writeAll(ben, talks[0], [hostile[0] ?? '']);
  await expect(rows(page).first()).toContainText(hostile[0] ?? '');
  await expect(page.locator('main b, main script, main img[src="x"]')).toHaveCount(0);
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);

  await test.step('a control in one text turns nothing around it', async () => {
    const name = rows(page).first().getByText('Ben Buyer');
    const time = rows(page).first().locator('time');
    const [before, after] = [await name.boundingBox(), await time.boundingBox()];
    expect((before?.x ?? 0) < (after?.x ?? 0)).toBe(true);
    await expect(time).toHaveText(/^\d{1,2}:\d{2} [AP]M$/);
  });
  expect(errors).toEqual([]);
  await context.close();
});

test('older messages come without a jump, and new ones do not pull the reader down', async ({ browser }) => {
  test.slow();
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], numbered(130));
  const { context, page } = await open(browser, ada);
  const last = thread(page).getByText('message 130', { exact: true });
  await expect(last).toBeInViewport();
  expect(await thread(page).locator('li p[dir]').count()).toBe(50);

  const whereIs = (text: string) =>
    thread(page)
      .getByText(text, { exact: true })
      .evaluate((element) => element.getBoundingClientRect().top);

  await test.step('scrolling up asks for the page before, and what is read stays where it is', async () => {
    await thread(page).evaluate((box) => box.scrollTo(0, 150));
    const before = await whereIs('message 85');
    await expect.poll(() => texts(page).then((all) => all.length)).toBe(100);
    expect(Math.abs((await whereIs('message 85')) - before)).toBeLessThan(3);
    await thread(page).evaluate((box) => box.scrollTo(0, 0));
    await expect.poll(() => texts(page)).toEqual(numbered(130));
    await expect(page.getByRole('button', { name: 'Earlier messages' })).toHaveCount(0);
  });

  await test.step('while reading older ones a new one waits behind a button', async () => {
    await thread(page).evaluate((box) => box.scrollTo(0, 1000));
    const before = await whereIs('message 20');
    await writeAll(ben, talks[0], ['fresh']);
    const button = page.getByRole('button', { name: 'New messages' });
    await expect(button).toBeVisible();
    expect(Math.abs((await whereIs('message 20')) - before)).toBeLessThan(3);
    await button.click();
    await expect(thread(page).getByText('fresh', { exact: true })).toBeInViewport();
    await expect(button).toHaveCount(0);
    await writeAll(ben, talks[0], ['fresher']);
    await expect(thread(page).getByText('fresher', { exact: true })).toBeInViewport();
  });
  await context.close();
});

test('29. ten minutes offline, 500 messages: all appear once, in order', async ({ browser }) => {
  test.slow();
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], ['before']);
  const { context, page, errors } = await open(browser, ada);
  await expect(thread(page).getByText('before', { exact: true })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('What you send now goes out when you are back online.')).toBeVisible();
  await writeAll(ben, talks[0], numbered(500));
  expect(await texts(page)).toEqual(['before']);
  await context.setOffline(false);
  await expect.poll(async () => (await texts(page)).length, { timeout: 30_000 }).toBeGreaterThanOrEqual(501);
  expect(await texts(page)).toEqual(['before', ...numbered(500)]);
  await expect(page.getByText(/when you are back online/)).toHaveCount(0);
  await expect(page).toHaveTitle('Messages · Quad');
  expect(errors).toEqual([]);
  await context.close();
});

test('what is written offline waits in sight and is sent once when back, in order, across a reload', async ({
  browser,
}) => {
  const { ada, ben, talks } = await meet(['Walnut desk lamp', 'Oak bookshelf tall']);
  await writeAll(ada, talks[0], ['lamp']);
  await writeAll(ada, talks[1], ['shelf']);
  const { context, page, errors } = await open(browser, ben);
  await expect(thread(page).getByText('shelf', { exact: true })).toBeVisible();
  await rows(page).nth(1).click();
  await expect(thread(page).getByText('lamp', { exact: true })).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText('What you send now goes out when you are back online.')).toBeVisible();
  const written = ['one', 'two', 'two', 'three'];
  for (const text of written) await say(page, text);
  await expect(thread(page).getByText('Waiting for connection')).toHaveCount(4);
  expect(await texts(page)).toEqual(['lamp', ...written]);
  await expect(input(page)).toHaveValue('');

  await test.step('another conversation and back: they still wait', async () => {
    await rows(page).nth(0).click();
    await expect(page).toHaveURL(`/messages?c=${idOf(talks[1])}`);
    await say(page, 'for the shelf');
    await expect(thread(page).getByText('Waiting for connection')).toHaveCount(1);
    await expect(page.getByText('5 messages go out when you are back online.')).toBeVisible();
    await rows(page).nth(1).click();
    await expect(thread(page).getByText('Waiting for connection')).toHaveCount(4);
  });

  await test.step('the connection is back with a reload: everything is sent, once', async () => {
    // The page comes from the network, and its messages may not yet.
    const path = '**/rest/v1/conversations/*/messages';
    await page.route(path, (route) =>
      route.request().method() === 'POST' ? route.abort() : route.fallback(),
    );
    await context.setOffline(false);
    await page.reload();
    await expect(thread(page).getByText('three', { exact: true })).toBeVisible();
    await page.unroute(path);
    await expect.poll(() => texts(page), { timeout: 20_000 }).toEqual(['lamp', ...written]);
    await expect(thread(page).getByText(/Waiting|Sending/)).toHaveCount(0);
    await page.reload();
    await expect.poll(() => texts(page)).toEqual(['lamp', ...written]);
    await rows(page).filter({ hasText: 'Oak bookshelf' }).click();
    await expect.poll(() => texts(page)).toEqual(['shelf', 'for the shelf']);
    expect(await page.evaluate(() => sessionStorage.getItem('quad.outbox'))).not.toContain('three');
  });
  expect(errors).toEqual([]);
  await context.close();
});

test('a server that is away is waited for', async ({ browser }) => {
  test.slow();
  const { ada, ben, talks } = await meet();
  await writeAll(ada, talks[0], ['hello']);
  const { context, page } = await open(browser, ben);
  await expect(thread(page)).toBeVisible();
  await quad.kill();
  await expect(page.getByText('Connection lost. Reconnecting…')).toBeVisible();
  await say(page, 'are you there?');
  await expect(thread(page).getByText('Waiting for connection')).toBeVisible();
  await quad.start();
  await expect(thread(page).getByText('Waiting for connection')).toHaveCount(0, { timeout: 30_000 });
  await expect(page.getByText('Connection lost. Reconnecting…')).toHaveCount(0, { timeout: 30_000 });
  expect(await texts(page)).toEqual(['hello', 'are you there?']);
  await context.close();
});

test('unread counts stand on every screen and in its title, and reading here is reading everywhere', async ({
  browser,
}) => {
  const { ada, ben, talks } = await meet(['Walnut desk lamp', 'Oak bookshelf tall']);
  await writeAll(ben, talks[0], ['one', 'two']);
  const desk = await open(browser, ada, { path: '/' });
  const pocket = await open(browser, ada, { path: '/my-listings', ...phone });
  const messages = (page: Page) =>
    page
      .getByRole('navigation')
      .getByRole('link', { name: /^Messages/ })
      .first();
  await expect(messages(desk.page)).toHaveText(/Messages2unread/);
  await expect(desk.page).toHaveTitle('(2) Quad');
  await expect(pocket.page).toHaveTitle(/^\(2\) My Listings · Quad$/);

  await test.step('the title keeps its count from screen to screen', async () => {
    await desk.page.getByRole('navigation').getByRole('link', { name: 'Rentals' }).first().click();
    await expect(desk.page).toHaveTitle(/^\(2\) (?!\().*Quad$/);
    await writeAll(ben, talks[1], ['three']);
    await expect(desk.page).toHaveTitle(/^\(3\) (?!\().*Quad$/);
    await expect(messages(pocket.page)).toHaveText(/Messages3unread/);
  });

  await test.step('opening a thread marks it as read here and there', async () => {
    await messages(desk.page).click();
    await expect(desk.page).toHaveTitle('(2) Messages · Quad');
    await expect(pocket.page).toHaveTitle('(2) My Listings · Quad');
    await expect(rows(desk.page).nth(1)).toContainText('2unread');
    await rows(desk.page).nth(1).click();
    await expect(desk.page).toHaveTitle('Messages · Quad');
    await expect(pocket.page).toHaveTitle('My Listings · Quad');
    await expect(messages(pocket.page)).toHaveText('Messages');
  });

  await test.step('a tab nobody looks at reads nothing', async () => {
    const look = (visibility: 'hidden' | 'visible') =>
      desk.page.evaluate((state) => {
        Object.defineProperty(document, 'visibilityState', { get: () => state, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, visibility);
    await look('hidden');
    await writeAll(ben, talks[0], ['are you there?']);
    await expect(desk.page).toHaveTitle('(1) Messages · Quad');
    await expect(pocket.page).toHaveTitle('(1) My Listings · Quad');
    await look('visible');
    await expect(desk.page).toHaveTitle('Messages · Quad');
    await expect(pocket.page).toHaveTitle('My Listings · Quad');
  });

  await test.step('what comes in before the reader’s eyes never counts as unread', async () => {
    const titles: string[] = [];
    await desk.page.exposeFunction('noteTitle', (title: string) => titles.push(title));
    await desk.page.evaluate(() => {
      const note = (window as unknown as { noteTitle: (title: string) => void }).noteTitle;
      new MutationObserver(() => note(document.title)).observe(document.head, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    await writeAll(ben, talks[0], ['while you look']);
    await expect(thread(desk.page).getByText('while you look', { exact: true })).toBeVisible();
    await expect(pocket.page).toHaveTitle('My Listings · Quad');
    expect(titles.filter((title) => title.startsWith('('))).toEqual([]);
  });
  await desk.context.close();
  await pocket.context.close();
});

test('the dialog of a listing: asked to sign in, back with the dialog open, live, and the same thread as on the screen', async ({
  browser,
}) => {
  counter += 1;
  const ada = await signUp(quad, 'Ada Seller', `ada.${counter}@usc.edu`);
  const ben = await signUp(quad, 'Ben Buyer', `ben.${counter}@example.com`);
  const listing = await postListing(quad, ada, 'Walnut desk lamp');
  const context = await browser.newContext({ baseURL: quad.url });
  const page = await context.newPage();
  await page.goto(`/listing/${listing.slug}`);
  const opener = page.getByRole('button', { name: 'Message Seller' });

  await test.step('signed out: asked to sign in', async () => {
    await opener.click();
    const dialog = page.getByRole('dialog', { name: 'Sign in Required' });
    await expect(dialog).toContainText(
      'You need to be logged in to message sellers. Please sign in or create an account to continue.',
    );
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(opener).toBeFocused();
    await opener.click();
    await expect(dialog.getByRole('link', { name: 'Sign Up' })).toBeVisible();
    await dialog.getByRole('link', { name: 'Log In' }).click();
  });

  const dialog = page.getByRole('dialog', { name: 'Message Ada Seller' });
  await test.step('after logging in the dialog is open on the listing', async () => {
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill(ben.email);
    await page.getByRole('textbox', { name: 'Password', exact: true }).fill('cardinal-and-gold-1');
    await page.getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/listing/${listing.slug}`));
    await expect(dialog.getByText('No messages yet. Start the conversation!')).toBeVisible();
    await expect(input(page)).toBeFocused();
  });

  await test.step('writing, being answered live, leaving and coming back', async () => {
    await say(page, 'Is it bright?');
    await expect(thread(page).locator('time')).toHaveText(/^\d{1,2}:\d{2} [AP]M$/);
    const [talk] = (
      await (
        await fetch(`${quad.url}/rest/v1/conversations`, {
          headers: { authorization: `Bearer ${ben.token}` },
        })
      ).json()
    ).items;
    await write(quad, ada, talk, 'Very bright.');
    await expect.poll(() => texts(page)).toEqual(['Is it bright?', 'Very bright.']);
    await input(page).fill('half a thought');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(`/listing/${listing.slug}`);
    await opener.click();
    await expect.poll(() => texts(page)).toEqual(['Is it bright?', 'Very bright.']);
    await expect(input(page)).toHaveValue('half a thought');
  });

  await test.step('losing the session closes it with a word', async () => {
    await page.evaluate(() => {
      localStorage.removeItem('quad.session');
      window.dispatchEvent(new StorageEvent('storage', { key: 'quad.session' }));
    });
    await expect(page.getByText('Please login to send messages')).toBeVisible();
    await expect(dialog).toHaveCount(0);
  });
  await context.close();
});

test('live again by itself with the newest token: after a renewal, and after a break', async ({
  browser,
}) => {
  test.slow();
  const { ada, ben, talks } = await meet();
  await writeAll(ben, talks[0], ['hello']);
  const context = await openBrowserOf(browser, quad, ada);
  const page = await context.newPage();
  const frames: string[] = [];
  const openedAt: number[] = [];
  page.on('websocket', (socket) => {
    openedAt.push(Date.now());
    socket.on('framesent', ({ payload }) => frames.push(String(payload)));
  });
  await page.goto('/messages');
  await expect(thread(page)).toBeVisible();
  const joins = (topic: string) => frames.filter((it) => it.includes(topic) && it.includes('phx_join'));
  await expect.poll(() => joins('conversation:').length).toBe(1);
  expect(joins('conversation:')[0]).toContain('"after_seq":1');

  await test.step('a renewed token goes into each channel', async () => {
    await page.evaluate(async () => {
      const stored = JSON.parse(localStorage.getItem('quad.session') ?? '{}');
      const renewed = await (
        await fetch('/auth/v1/token?grant_type=refresh_token', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ refresh_token: stored.refresh_token }),
        })
      ).json();
      localStorage.setItem('quad.session', JSON.stringify(renewed));
      window.dispatchEvent(new StorageEvent('storage', { key: 'quad.session' }));
    });
    await expect
      .poll(() => frames.filter((it) => it.includes('"access_token"') && !it.includes('phx_join')).length)
      .toBe(2);
  });

  await test.step('after a break it joins again from where it was, with the newest token', async () => {
    await writeAll(ben, talks[0], ['second']);
    await expect(thread(page).getByText('second', { exact: true })).toBeVisible();
    const token = await page.evaluate(
      () => JSON.parse(localStorage.getItem('quad.session') ?? '{}').access_token,
    );
    await quad.kill();
    const killedAt = Date.now();
    await expect(page.getByText('Connection lost. Reconnecting…')).toBeVisible();
    await quad.start();
    await expect.poll(() => joins('conversation:').length, { timeout: 30_000 }).toBe(2);
    const [, again] = joins('conversation:');
    expect(again).toContain('"after_seq":2');
    expect(again).toContain(token);
    expect((openedAt[1] ?? 0) - killedAt).toBeGreaterThanOrEqual(950);
    await writeAll(ben, talks[0], ['third']);
    await expect.poll(() => texts(page)).toEqual(['hello', 'second', 'third']);
  });
  await context.close();
});
