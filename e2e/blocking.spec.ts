import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { listViolations } from './support/axe.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { waitForPageHistoryEntry } from './support/overlays.ts';
import {
  callApi,
  openConversation,
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
  expect(await listViolations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(page.getByText(`You blocked ${name}`).first()).toBeVisible();
};
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

test('a person blocked via the conversation menu cannot write, is not told why, and can be unblocked in Settings', async ({
  browser,
  quad,
}) => {
  const ann = await signUp(quad, 'Ann Able', createUniqueEmailAddress('ann'));
  const ben = await signUp(quad, 'Ben Bold', createUniqueEmailAddress('ben'));
  const desk = await postListing(quad, ann, 'Writing desk of cherry wood');
  const offer = { client_id: randomUUID(), listing_id: desk.id, message_text: 'Is it still there?' };
  const deal = await callApi<{ conversation_id: string }>(quad, '/rest/v1/deals', {
    token: ben.token,
    body: offer,
  });
  const conversation = `/messages?c=${deal.conversation_id}`;
  const [annsContext, bensContext] = [
    await openSignedInBrowser(browser, quad, ann),
    await openSignedInBrowser(browser, quad, ben),
  ];
  const [annsPage, bensPage] = [await annsContext.newPage(), await bensContext.newPage()];
  await annsPage.goto(conversation);
  await bensPage.goto(conversation);
  const bensInput = bensPage.getByPlaceholder('Type your message...');
  await bensInput.fill('Hello? Are you there?');

  // Block the requests with which Ben's page would learn that he can no longer write to Ann. The page fetches
  // the list of conversations again whenever it joins his topic, which may be late on a slow machine.
  const details = ({ pathname }: URL) =>
    ['/rest/v1/conversations', `/rest/v1/conversations/${deal.conversation_id}`].includes(pathname);
  await intercept(bensPage, details, (route) => route.abort());
  await openThreadMenu(annsPage, 'Block Ben Bold');
  await confirmBlock(annsPage, 'Ben Bold');
  await expect(annsPage.getByText(`You blocked Ben Bold. ${refusal}`)).toBeVisible();
  await expect(annsPage.getByPlaceholder('Type your message...')).toHaveCount(0);

  await test.step('the offer ends, and the other person only reads the sentence', async () => {
    const ended = 'This deal was closed: the two of you can’t contact each other right now.';
    await expect(bensPage.getByRole('region', { name: 'Messages with Ann Able' })).toContainText(ended);
    await bensInput.press('Enter');
    await bensPage.unroute(details);
    await expect(bensPage.getByText(refusal, { exact: true })).toBeVisible();
    await expect(bensPage.getByRole('button', { name: /^Unblock/ })).toHaveCount(0);
    await bensPage.goto(`/listing/${desk.slug}`);
    await bensPage.getByRole('button', { name: 'Message Seller' }).click();
    await expect(bensPage.getByRole('dialog').getByText(refusal, { exact: true })).toBeVisible();
  });

  await test.step('Unblock in the conversation keeps the focus there, and Undo blocks again', async () => {
    const conversationPane = annsPage.getByRole('region', { name: 'Conversation', exact: true });
    await conversationPane.getByRole('button', { name: 'Unblock Ben Bold' }).click();
    await expect(annsPage.getByPlaceholder('Type your message...')).toBeVisible();
    await expect(conversationPane.locator(':focus')).toBeVisible();
    await annsPage.getByRole('button', { name: 'Undo' }).click();
    await expect(annsPage.getByText(`You blocked Ben Bold. ${refusal}`)).toBeVisible();
  });

  await test.step('Settings lists the person, and Unblock makes contact possible again', async () => {
    await annsPage.goto('/profile?tab=settings');
    const blocked = annsPage.getByRole('region', { name: 'Blocked people' });
    await expect(blocked.getByRole('link', { name: 'Ben Bold' })).toBeVisible();
    await blocked.getByRole('button', { name: 'Unblock Ben Bold' }).click();
    await expect(blocked).toContainText('You haven’t blocked anybody.');
    await annsPage.goto(conversation);
    await annsPage.getByPlaceholder('Type your message...').fill('Sorry, a misunderstanding');
    await annsPage.getByPlaceholder('Type your message...').press('Enter');
    await bensPage.goto(conversation);
    await expect(bensPage.getByRole('region', { name: 'Messages with Ann Able' })).toContainText(
      'Sorry, a misunderstanding',
    );
    // The message that Ben could not send is still in the input field.
    await expect(bensPage.getByPlaceholder('Type your message...')).toHaveValue('Hello? Are you there?');
  });
  await annsContext.close();
  await bensContext.close();
});

test('blocking the seller of a listing hides their listings in all tabs, but not for visitors, until unblocked', async ({
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
  const page = await context.newPage();
  const list = `/search?q=${encodeURIComponent(title)}`;
  await page.goto(list);
  await expect(getCard(page, title)).toBeVisible();
  const count = await page
    .getByText(/^1 (result|item|listing)/)
    .first()
    .textContent();

  const otherTab = await context.newPage();
  await otherTab.goto(list);
  await expect(getCard(otherTab, title)).toBeVisible();

  await page.goto(`/listing/${slug}`);
  const contactButtons = page.getByRole('button', { name: /^(Ask to buy|Make an offer|Message Seller)/ });
  await expect(contactButtons).not.toHaveCount(0);
  await page.getByRole('button', { name: 'Block Seller' }).click();
  await confirmBlock(page, 'Ben Bold');
  await expect(page.getByRole('button', { name: 'Unblock Ben Bold' })).toBeVisible();
  await expect(contactButtons).toHaveCount(0);
  await expect(getCard(otherTab, title)).toBeHidden();
  await page.goto(list);
  await expect(getCard(page, title)).toBeHidden();
  await expect(page.getByText(count ?? '').first()).toBeVisible();
  await page.reload();
  await expect(getCard(page, title)).toBeHidden();
  await expectSuggested(page, ending, [annsTitle]);

  await test.step('the saved listing stays in the list of saved listings, where it can be removed', async () => {
    await page.goto('/browse');
    // Follow a link after the card was hidden, because a newly loaded page hides cards only later.
    await expect(page.locator('[data-owner]').filter({ hasText: title })).toBeHidden();
    await page.getByRole('main').getByRole('link', { name: 'Saved', exact: true }).click();
    await expect(getCard(page, title).getByRole('button', { name: `Favorite: ${title}` })).toBeVisible();
  });

  const visitor = await (await browser.newContext({ baseURL: quad.url })).newPage();
  await visitor.goto(list);
  await expect(getCard(visitor, title)).toBeVisible();
  await expectSuggested(visitor, ending, [annsTitle, title]);
  await visitor.context().close();

  await page.goto(`/listing/${slug}`);
  await page.getByRole('button', { name: 'Unblock Ben Bold' }).click();
  await expect(page.getByRole('button', { name: 'Block Seller' })).toBeVisible();
  await expect(contactButtons).not.toHaveCount(0);
  await expect(page.locator(':focus')).toHaveText('Block Seller');
  await expect(getCard(otherTab, title)).toBeVisible();
  await page.goto(list);
  await expect(getCard(page, title)).toBeVisible();
  await expectSuggested(page, ending, [annsTitle, title]);
  await context.close();
});

test('blocking a person on their profile can be undone, and visitors cannot block anyone', async ({
  browser,
  quad,
}) => {
  const ann = await signUp(quad, 'Ann Able', createUniqueEmailAddress('ann'));
  const ben = await signUp(quad, 'Ben Bold', createUniqueEmailAddress('ben'));
  const desk = await postListing(quad, ben, 'Writing desk of pear wood');
  const { other } = await openConversation(quad, ann, desk);
  const profile = `/users/${other?.id}`;
  const context = await openSignedInBrowser(browser, quad, ann);
  const page = await context.newPage();
  await page.goto(profile);
  await page.getByRole('button', { name: 'Block Ben Bold' }).click();
  await confirmBlock(page, 'Ben Bold');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('You unblocked Ben Bold')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Block Ben Bold', exact: true })).toBeVisible();
  await context.close();

  const visitor = await (await browser.newContext({ baseURL: quad.url })).newPage();
  await visitor.goto(profile);
  await expect(visitor.getByRole('button', { name: 'Report Ben Bold' })).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'Block Ben Bold' })).toHaveCount(0);
  await visitor.context().close();
});

test('a listing, a person and a message are reported, and a reported person can be blocked', async ({
  browser,
  quad,
}) => {
  const ann = await signUp(quad, 'Ann Able', createUniqueEmailAddress('ann'));
  const ben = await signUp(quad, 'Ben Bold', createUniqueEmailAddress('ben'));
  const desk = await postListing(quad, ben, 'Writing desk of plum wood');
  const conversation = await openConversation(quad, ann, desk);
  await postConversationMessage(quad, ann, conversation, 'How tall is it?');
  await postConversationMessage(quad, ben, conversation, 'Pay first, then I tell you.');
  await postConversationMessage(quad, ann, conversation, 'No, thank you.');
  const context = await openSignedInBrowser(browser, quad, ann);
  const page = await context.newPage();
  const send = () => page.getByRole('dialog').getByRole('button', { name: 'Submit Report' }).click();

  await test.step('a listing', async () => {
    await page.goto(`/listing/${desk.slug}`);
    await page.getByRole('button', { name: 'Report Listing' }).click();
    await send();
    await expect(page.getByText('Please select a reason')).toBeVisible();
    await page.getByRole('radio', { name: 'Prohibited item' }).check();
    await page.getByRole('textbox', { name: 'Details (optional)' }).fill('It is not a desk.');
    expect(await listViolations(page)).toEqual([]);
    await send();
    await expect(page.getByText('Report Submitted')).toBeVisible();
    await expect(page.getByText('Thank you for helping keep our community safe.')).toBeVisible();
  });

  await test.step('a person', async () => {
    await page.goto(`/users/${conversation.other?.id}`);
    await page.getByRole('button', { name: 'Report Ben Bold' }).click();
    await page.getByRole('radio', { name: 'Spam' }).check();
    await send();
    await expect(page.getByRole('dialog', { name: 'Report Submitted' })).toBeVisible();
    await page.getByRole('button', { name: 'Done' }).click();
    await waitForPageHistoryEntry(page);
  });

  await test.step('a message, with the messages around it, and then Block', async () => {
    await page.goto(`/messages?c=${conversation.id}`);
    await expect(page.getByText('No, thank you.').first()).toBeVisible();
    const dealButtons = page.getByRole('button', { name: /^(Ask to buy|Make an offer)/ });
    await expect(dealButtons).not.toHaveCount(0);
    await openThreadMenu(page, 'Report a message');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Pay first, then I tell you.' }).click();
    const quoted = dialog.getByRole('region', { name: 'These messages are sent with your report' });
    await expect(quoted.getByRole('listitem')).toHaveText([
      'You: How tall is it?',
      'Ben Bold: Pay first, then I tell you. (the reported message)',
      'You: No, thank you.',
    ]);
    await dialog.getByRole('radio', { name: 'Scam or fraud' }).check();
    expect(await listViolations(page)).toEqual([]);
    await send();
    await page
      .getByRole('dialog', { name: 'Report Submitted' })
      .getByRole('button', { name: 'Block Ben Bold' })
      .click();
    await confirmBlock(page, 'Ben Bold');
    await expect(page.getByText(`You blocked Ben Bold. ${refusal}`)).toBeVisible();
    await expect(dealButtons).toHaveCount(0);
  });
  await context.close();
});
