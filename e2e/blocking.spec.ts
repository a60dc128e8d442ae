import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { waitForPageHistoryEntry } from './support/overlays.ts';
import {
  callApi,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  signUp,
} from './support/students.ts';
import { intercept } from './support/test.ts';

const refusal = "You can't contact this person right now.";

const confirmBlock = async (page: Page, name: string): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: `Block ${name}?` });
  await expect(dialog).toContainText('Open offers and holds between you end');
  await dialog.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(page.getByText(`You blocked ${name}`).first()).toBeVisible();
};
const submitReport = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Submit Report' }).click();
const getCard = (page: Page, title: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: title });
/** Types a text into the search box, and expects these titles of listings to be suggested. */
const expectSuggested = async (page: Page, text: string, titles: string[]): Promise<void> => {
  await page.getByRole('combobox', { name: 'Search' }).fill(text);
  const list = page.getByRole('listbox', { name: 'Suggestions' });
  await expect(list.getByRole('option')).toHaveText(titles);
};
const openThreadMenu = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

test('a person who is reported and blocked in a conversation cannot write, is not told why, and can be unblocked', async ({
  browser,
  quad,
}) => {
  const ann = await signUp(quad, 'Ann Able', createUniqueEmailAddress('ann'));
  const ben = await signUp(quad, 'Ben Bold', createUniqueEmailAddress('ben'));
  const desk = await postListing(quad, ann, 'Writing desk of cherry wood');
  const deal = await callApi<{ conversation_id: string }>(quad, '/rest/v1/deals', {
    token: ben.token,
    body: { client_id: randomUUID(), listing_id: desk.id, message_text: 'Is it still there?' },
  });
  const conversation = { id: deal.conversation_id };
  await postConversationMessage(quad, ann, conversation, 'Yes, it is.');
  await postConversationMessage(quad, ben, conversation, 'Send me your password first.');
  await postConversationMessage(quad, ann, conversation, 'No, thank you.');
  const [annsContext, bensContext] = [
    await openSignedInBrowser(browser, quad, ann),
    await openSignedInBrowser(browser, quad, ben),
  ];
  const [annsPage, bensPage] = [await annsContext.newPage(), await bensContext.newPage()];
  await annsPage.goto(`/messages?c=${conversation.id}`);
  await bensPage.goto(`/messages?c=${conversation.id}`);
  const annsInput = annsPage.getByPlaceholder('Type your message...');
  const bensInput = bensPage.getByPlaceholder('Type your message...');
  const bensMessages = bensPage.getByRole('region', { name: 'Messages with Ann Able' });
  await bensInput.fill('Hello? Are you there?');

  // Block the requests with which Ben's page would learn that he can no longer write to Ann. The page fetches
  // the list of conversations again whenever it joins his topic, which may be late on a slow machine.
  const details = ({ pathname }: URL) =>
    ['/rest/v1/conversations', `/rest/v1/conversations/${conversation.id}`].includes(pathname);
  await intercept(bensPage, details, (route) => route.abort(), { isOptional: true });

  await test.step('a message is reported with the messages around it, and its author blocked', async () => {
    await openThreadMenu(annsPage, 'Report a message');
    const dialog = annsPage.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send me your password first.' }).click();
    const quoted = dialog.getByRole('region', { name: 'These messages are sent with your report' });
    await expect(quoted.getByRole('listitem').filter({ hasText: /./ })).toContainText([
      'You: Yes, it is.',
      'Ben Bold: Send me your password first. (the reported message)',
      'You: No, thank you.',
    ]);
    await dialog.getByRole('radio', { name: 'Scam or fraud' }).check();
    await submitReport(annsPage);
    await annsPage
      .getByRole('dialog', { name: 'Report Submitted' })
      .getByRole('button', { name: 'Block Ben Bold' })
      .click();
    await confirmBlock(annsPage, 'Ben Bold');
    await expect(annsPage.getByText(`You blocked Ben Bold. ${refusal}`)).toBeVisible();
    await expect(annsInput).toHaveCount(0);
  });

  await test.step('the offer ends, and the other person only reads the sentence', async () => {
    await expect(bensMessages).toContainText(
      'This deal was closed: the two of you can’t contact each other right now.',
    );
    await bensInput.press('Enter');
    await bensPage.unroute(details);
    await expect(bensPage.getByText(refusal, { exact: true })).toBeVisible();
    await expect(bensPage.getByRole('button', { name: /^Unblock/ })).toHaveCount(0);
    await bensPage.goto(`/listing/${desk.slug}`);
    await bensPage.getByRole('button', { name: 'Message Seller' }).click();
    await expect(bensPage.getByRole('dialog').getByText(refusal, { exact: true })).toBeVisible();
  });

  await test.step('Unblock in the conversation keeps the focus there, and the menu blocks again', async () => {
    const conversationPane = annsPage.getByRole('region', { name: 'Conversation', exact: true });
    await conversationPane.getByRole('button', { name: 'Unblock Ben Bold' }).click();
    await expect(annsInput).toBeVisible();
    await expect(conversationPane.locator(':focus')).toBeVisible();
    await openThreadMenu(annsPage, 'Block Ben Bold');
    await confirmBlock(annsPage, 'Ben Bold');
    await expect(annsPage.getByText(`You blocked Ben Bold. ${refusal}`)).toBeVisible();
  });

  await test.step('Settings lists the person, and Unblock makes contact possible again', async () => {
    await annsPage.goto('/profile?tab=settings&page=privacy');
    const blocked = annsPage.getByRole('region', { name: 'Blocked people' });
    await expect(blocked.getByRole('link', { name: 'Ben Bold' })).toBeVisible();
    await blocked.getByRole('button', { name: 'Unblock Ben Bold' }).click();
    await expect(blocked).toContainText('You haven’t blocked anybody.');
    await postConversationMessage(quad, ann, conversation, 'Sorry, a misunderstanding');
    await bensPage.goto(`/messages?c=${conversation.id}`);
    await expect(bensMessages).toContainText('Sorry, a misunderstanding');
    // The message that Ben could not send is still in the input field.
    await expect(bensInput).toHaveValue('Hello? Are you there?');
  });
  await annsContext.close();
  await bensContext.close();
});

test('blocking a person on their profile hides their listings in all tabs until unblocked, and visitors cannot block', async ({
  browser,
  quad,
}) => {
  const ann = await signUp(quad, 'Ann Able', createUniqueEmailAddress('ann'));
  const ben = await signUp(quad, 'Ben Bold', createUniqueEmailAddress('ben'));
  const ending = randomUUID().slice(0, 8);
  const title = `Bookends shaped like elephants ${ending}`;
  const { id, slug } = await postListing(quad, ben, title);
  await callApi(quad, `/rest/v1/me/saved-listings/${id}`, { token: ann.token, method: 'PUT' });
  const annsTitle = `Bookcase of ash ${ending}`;
  await postListing(quad, ann, annsTitle);
  // The newest listing with a title is suggested.
  await postListing(quad, ben, annsTitle);
  const context = await openSignedInBrowser(browser, quad, ann, { viewport: { width: 360, height: 740 } });
  const [page, otherTab] = [await context.newPage(), await context.newPage()];
  await otherTab.goto(`/search?q=${encodeURIComponent(title)}`);
  await expect(getCard(otherTab, title)).toBeVisible();
  const count = otherTab.getByText(/^1 (result|item|listing)/).first();
  await expect(count).toBeVisible();
  const contactButtons = page.getByRole('button', { name: /^(Ask to buy|Make an offer|Message Seller)/ });

  await test.step('the person is reported and blocked, which can be undone', async () => {
    await page.goto(`/users/${ben.id}`);
    await page.getByRole('button', { name: 'Report Ben Bold' }).click();
    await submitReport(page);
    await expect(page.getByText('Please select a reason')).toBeVisible();
    await page.getByRole('radio', { name: 'Spam' }).check();
    await submitReport(page);
    await expect(page.getByRole('dialog', { name: 'Report Submitted' })).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
    await waitForPageHistoryEntry(page);
    const block = page.getByRole('button', { name: 'Block Ben Bold', exact: true });
    await block.click();
    await confirmBlock(page, 'Ben Bold');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByText('You unblocked Ben Bold')).toBeVisible();
    await block.click();
    await confirmBlock(page, 'Ben Bold');
  });

  await test.step('the listings of the person are hidden, except where they were saved', async () => {
    await expect(getCard(otherTab, title)).toBeHidden();
    await otherTab.reload();
    await expect(getCard(otherTab, title)).toBeHidden();
    await expect(count).toBeVisible();
    await expectSuggested(page, ending, [annsTitle]);
    await page.goto('/saved');
    await expect(getCard(page, title).getByRole('button', { name: `Favorite: ${title}` })).toBeVisible();
  });

  await test.step('the listing offers to unblock the person, which shows the listings again', async () => {
    await page.goto(`/listing/${slug}`);
    const unblock = page.getByRole('button', { name: 'Unblock Ben Bold' });
    await expect(unblock).toBeVisible();
    await expect(contactButtons).toHaveCount(0);
    await unblock.click();
    await expect(page.locator(':focus')).toHaveText('Block Seller');
    await expect(contactButtons).not.toHaveCount(0);
    await expect(getCard(otherTab, title)).toBeVisible();
    // On phones the page of a listing has no search.
    await page.goto('/saved');
    await expectSuggested(page, ending, [annsTitle, title]);
  });
  await context.close();

  const visitor = await (await browser.newContext({ baseURL: quad.url })).newPage();
  await visitor.goto(`/users/${ben.id}`);
  await expect(visitor.getByRole('button', { name: 'Report Ben Bold' })).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'Block Ben Bold' })).toHaveCount(0);
  await visitor.context().close();
});
