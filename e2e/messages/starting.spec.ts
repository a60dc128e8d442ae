import { expect, type Page } from '@playwright/test';
import { formatTooManyConversationsMessage } from '#contract/conversations.ts';
import { createUniqueEmailAddress } from '../support/fixtures.ts';
import type { QuadServer } from '../support/quad-server.ts';
import { callApi, postConversationMessage, postListing, type Student, signUp } from '../support/students.ts';
import { intercept } from '../support/test.ts';
import {
  getMessageInput,
  getMessageTexts,
  getThreadRegion,
  phoneBrowserOptions,
  test,
  typeAndSend,
} from './screen.ts';

const fetchInbox = async (quad: QuadServer, { token }: Student) =>
  (await callApi<{ items: { id: string }[] }>(quad, '/rest/v1/conversations', { token })).items;
const fetchMessageTexts = async (quad: QuadServer, { token }: Student): Promise<string[]> => {
  const [talk] = await fetchInbox(quad, { token } as Student);
  if (!talk) return [];
  const { items } = await callApi<{ items: { message_text: string }[] }>(
    quad,
    `/rest/v1/conversations/${talk.id}/messages`,
    { token },
  );
  return items.map(({ message_text }) => message_text);
};

const createSellerAndBuyer = async (quad: QuadServer) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const ben = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben', 'example.com'));
  const { slug } = await postListing(quad, ada, 'Walnut desk lamp');
  return { ada, ben, path: `/listing/${slug}?message=1` };
};

const expectEmptyThread = (page: Page) =>
  expect(page.getByText('No messages yet. Start the conversation!')).toBeVisible();

test('promise 56: opening the message dialog creates nothing; the first message creates the conversation', async ({
  open,
  quad,
}) => {
  const { ada, ben, path } = await createSellerAndBuyer(quad);
  const { page, errors } = await open(ben, { path, ...phoneBrowserOptions });
  for (let looks = 0; looks < 3; looks += 1) {
    await expectEmptyThread(page);
    await page.reload();
  }
  await expectEmptyThread(page);
  expect(await fetchInbox(quad, ada)).toEqual([]);
  expect(await fetchInbox(quad, ben)).toEqual([]);

  await typeAndSend(page, 'Is it bright?');
  await typeAndSend(page, 'And is it heavy?');
  await expect.poll(() => fetchMessageTexts(quad, ada)).toEqual(['Is it bright?', 'And is it heavy?']);
  await expect.poll(() => getMessageTexts(page)).toEqual(['Is it bright?', 'And is it heavy?']);
  await expect(getMessageInput(page)).toBeFocused();
  const [talk] = await fetchInbox(quad, ada);
  await postConversationMessage(quad, ada, talk ?? { id: '' }, 'Very bright.');
  await expect
    .poll(() => getMessageTexts(page))
    .toEqual(['Is it bright?', 'And is it heavy?', 'Very bright.']);
  expect(errors).toEqual([]);
});

test('a first message written offline waits in the dialog, across a reload, and is sent once', async ({
  open,
  quad,
}) => {
  const { ada, ben, path } = await createSellerAndBuyer(quad);
  const { context, page } = await open(ben, { path });
  await expectEmptyThread(page);
  await context.setOffline(true);
  await typeAndSend(page, 'Written in a tunnel');
  await expect(getThreadRegion(page).getByText('Waiting for connection')).toBeVisible();
  await getMessageInput(page).fill('half a thought');
  expect(await fetchInbox(quad, ada)).toEqual([]);
  await context.setOffline(false);
  await expect.poll(() => fetchMessageTexts(quad, ada)).toEqual(['Written in a tunnel']);
  await expect(getMessageInput(page)).toHaveValue('half a thought');
  await page.reload();
  await expect.poll(() => getMessageTexts(page)).toEqual(['Written in a tunnel']);
  await expect(getMessageInput(page)).toHaveValue('half a thought');
});

test('a first message whose response is lost is sent again and stored once', async ({ open, quad }) => {
  const { ada, ben, path } = await createSellerAndBuyer(quad);
  const { page } = await open(ben, { path });
  await expectEmptyThread(page);
  let lost = 0;
  await intercept(page, /\/rest\/v1\/conversations(\/[^/]+\/messages)?$/, async (route) => {
    if (route.request().method() !== 'POST' || lost >= 2) return route.fallback();
    lost += 1;
    await route.fetch();
    return route.abort();
  });
  await typeAndSend(page, 'Sent into silence');
  await expect.poll(() => fetchMessageTexts(quad, ada)).toEqual(['Sent into silence']);
  await expect.poll(() => getMessageTexts(page)).toEqual(['Sent into silence']);
  await expect(getMessageInput(page)).toHaveValue('');
  await expect.poll(() => lost).toBe(2);
  await page.reload();
  await expect.poll(() => getMessageTexts(page)).toEqual(['Sent into silence']);
});

test('two tabs that start the same conversation end up in one', async ({ open, quad }) => {
  const { ada, ben, path } = await createSellerAndBuyer(quad);
  const { context, page: first } = await open(ben, { path });
  const second = await context.newPage();
  await second.goto(path);
  await expectEmptyThread(first);
  await expectEmptyThread(second);
  // Type the texts one after the other, because a tab shows the other tab's draft until something is typed in
  // it.
  await getMessageInput(first).fill('From one tab');
  await getMessageInput(second).fill('From another');
  await Promise.all([first, second].map((page) => getMessageInput(page).press('Enter')));
  await expect
    .poll(async () => (await fetchMessageTexts(quad, ada)).sort())
    .toEqual(['From another', 'From one tab']);
  expect(await fetchInbox(quad, ada)).toHaveLength(1);
  for (const page of [first, second])
    await expect
      .poll(async () => (await getMessageTexts(page)).sort())
      .toEqual(['From another', 'From one tab']);
});

test('at the limit on new conversations, the dialog says how long to wait and keeps the text', async ({
  open,
  quad,
}) => {
  const { ben, path } = await createSellerAndBuyer(quad);
  const { page } = await open(ben, { path, ...phoneBrowserOptions });
  await expectEmptyThread(page);
  const sentence = formatTooManyConversationsMessage(5 * 3600);
  await intercept(page, '**/rest/v1/conversations/*/messages', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 429, json: { code: 'rate_limited', error: sentence } })
      : route.fallback(),
  );
  await typeAndSend(page, 'One too many');
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveText(
    "You've started a lot of conversations. You can start another one in 5 hours.",
  );
  await expect(getMessageInput(page)).toHaveValue('One too many');
  await page.unroute('**/rest/v1/conversations/*/messages');
  await getMessageInput(page).press('Enter');
  await expect.poll(() => getMessageTexts(page)).toEqual(['One too many']);
  await expect(page.getByRole('dialog').getByRole('alert')).toHaveCount(0);
});
