import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress } from '../support/fixtures.ts';
import type { QuadServer } from '../support/quad-server.ts';
import { callApi, postConversationMessage, postListing, type Student, signUp } from '../support/students.ts';
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
  const { context, page, errors } = await open(ben, { path, ...phoneBrowserOptions });
  await expectEmptyThread(page);
  await page.reload();
  await expectEmptyThread(page);
  expect(await fetchInbox(quad, ada)).toEqual([]);
  expect(await fetchInbox(quad, ben)).toEqual([]);

  // Messages written offline wait in the dialog.
  await context.setOffline(true);
  await typeAndSend(page, 'Is it bright?');
  await expect(getThreadRegion(page).getByText('Waiting for connection')).toBeVisible();
  await context.setOffline(false);
  await typeAndSend(page, 'And is it heavy?');
  await expect.poll(() => fetchMessageTexts(quad, ada)).toEqual(['Is it bright?', 'And is it heavy?']);
  await expect.poll(() => getMessageTexts(page)).toEqual(['Is it bright?', 'And is it heavy?']);
  await expect(getMessageInput(page)).toBeFocused();
  const [talk] = await fetchInbox(quad, ada);
  await postConversationMessage(quad, ada, talk ?? { id: '' }, 'Very bright.');
  await expect
    .poll(() => getMessageTexts(page))
    .toEqual(['Is it bright?', 'And is it heavy?', 'Very bright.']);

  await test.step('losing the session closes the dialog and says why', async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Message Seller' }).tap();
    await expect(getThreadRegion(page).getByText('Very bright.')).toBeVisible();
    await page.evaluate(() => {
      localStorage.removeItem('quad.session');
      window.dispatchEvent(new StorageEvent('storage', { key: 'quad.session' }));
    });
    await expect(page.getByText('Please login to send messages')).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
  expect(errors).toEqual([]);
});
