import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { openSignedInBrowser, postListing, signUp, turnOffQuietHours } from './support/students.ts';

const listingTitle = 'Folding bicycle with a basket';
const accountDeletedSentence = 'This account was deleted. You can still read the conversation.';

const sendMessage = async (page: Page, text: string): Promise<void> => {
  await page.getByPlaceholder('Type your message...').fill(text);
  await page.keyboard.press('Enter');
};

test('a student downloads their data and deletes the account, and others can still read the conversation', async ({
  browser,
  quad,
}) => {
  const person = await signUp(quad, 'Lea Leaver', createUniqueEmailAddress('lea'));
  const buyer = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben'));
  await turnOffQuietHours(quad, person);
  const { slug } = await postListing(quad, person, listingTitle, { category: 'rentals' });
  const listing = `/listing/${slug}`;
  const lea = await (await openSignedInBrowser(browser, quad, person)).newPage();
  const ben = await (await openSignedInBrowser(browser, quad, buyer)).newPage();

  // While the seller deletes the account, the buyer Ben has two pages open: the conversation, and the listing
  // with its message dialog.
  const dialog = await ben.context().newPage();
  await dialog.goto(listing);
  await dialog.getByRole('button', { name: 'Message Seller' }).click();
  await sendMessage(dialog, 'Is it still there?');
  await expect(dialog.getByText('Is it still there?')).toBeVisible();
  const messageMail = await quad.mail.take(person.email, 'wrote to you about');
  expect(messageMail.text).toContain('Is it still there?');
  await ben.goto('/messages');
  await expect(ben.getByRole('heading', { name: person.name })).toBeVisible();
  await expect(ben.getByPlaceholder('Type your message...')).toBeVisible();

  await lea.goto('/post-ad');
  await lea.getByRole('textbox', { name: 'Title', exact: true }).fill('A listing that is never posted');
  const listSavedForms = () =>
    lea.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('quad.saved.')));
  await expect.poll(listSavedForms).toHaveLength(1);
  await lea.goto('/profile?tab=settings&page=account');

  await test.step('the download is a file with everything', async () => {
    const download = lea.getByRole('button', { name: 'Download my data' });
    const [file] = await Promise.all([lea.waitForEvent('download'), download.click()]);
    await expect(lea.getByText('Your data was downloaded')).toBeVisible();
    expect(file.suggestedFilename()).toMatch(/^quad-data-\d{4}-\d\d-\d\d\.json$/);
    const data = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(data).toMatchObject({
      site: quad.url,
      profile: { email: person.email, full_name: person.name },
      listings: [{ title: listingTitle }],
      conversations: [{ with: 'Ben Buyer', messages: [{ from: 'other', text: 'Is it still there?' }] }],
    });
  });

  await test.step('typing DELETE deletes the account, erases saved forms and leads home, logged out', async () => {
    await lea.getByRole('button', { name: 'Delete Account' }).click();
    const word = lea.getByRole('textbox', { name: 'Type DELETE to confirm' });
    await word.fill('DELETE');
    await word.press('Enter');
    await expect(lea.getByText('Your account was deleted')).toBeVisible();
    await expect(lea).toHaveURL(/\/$/);
    await expect.poll(listSavedForms).toEqual([]);
    await expect(lea.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    expect((await fetch(`${quad.url}/rest/v1/listings/${slug}`)).status).toBe(404);
  });

  await test.step('who is reading the conversation sees it end, and can read on', async () => {
    await expect(ben.getByText(accountDeletedSentence)).toBeVisible();
    await expect(ben.getByRole('heading', { name: 'Deleted user' })).toBeVisible();
    await expect(ben.getByText('Is it still there?').first()).toBeVisible();
    await expect(ben.getByPlaceholder('Type your message...')).toHaveCount(0);
  });

  await test.step('who had the dialog open is told when they write', async () => {
    await sendMessage(dialog, 'Hello?');
    await expect(dialog.getByText(accountDeletedSentence)).toBeVisible();
    await expect(dialog.getByText('Failed to send message')).toBeVisible();
    await expect(dialog.getByPlaceholder('Type your message...')).toHaveCount(0);
  });

  await Promise.all([lea.context().close(), ben.context().close()]);
});
