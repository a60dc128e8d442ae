import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { runAxe } from './support/axe.ts';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import type { QuadServer } from './support/quad-server.ts';
import { defaultPassword, signUpInBrowser } from './support/sign-in.ts';
import { openSignedInBrowser, postListing, signUp, turnOffQuietHours } from './support/students.ts';
import { intercept } from './support/test.ts';

const listingTitle = 'Folding bicycle with a basket';
const accountDeletedSentence = 'This account was deleted. You can still read the conversation.';

let quadServer: QuadServer;
test.beforeAll(async ({ quad }) => {
  quadServer = quad;
});

const sendMessage = async (page: Page, text: string): Promise<void> => {
  await page.getByPlaceholder('Type your message...').fill(text);
  await page.keyboard.press('Enter');
};

test('a student downloads their data and deletes the account, and others can still read the conversation', async ({
  browser,
}) => {
  const person = await signUp(quadServer, 'Lea Leaver', createUniqueEmailAddress('lea'));
  const buyer = await signUp(quadServer, 'Ben Buyer', createUniqueEmailAddress('ben'));
  await turnOffQuietHours(quadServer, person);
  const { slug } = await postListing(quadServer, person, listingTitle, { category: 'rentals' });
  const listing = `/listing/${slug}`;
  const lea = await (await openSignedInBrowser(browser, quadServer, person)).newPage();
  const ben = await (await openSignedInBrowser(browser, quadServer, buyer)).newPage();

  // While the seller deletes the account, the buyer Ben has two pages open: the conversation, and the listing
  // with its message dialog.
  const dialog = await ben.context().newPage();
  await dialog.goto(listing);
  await dialog.getByRole('button', { name: 'Message Seller' }).click();
  await sendMessage(dialog, 'Is it still there?');
  await expect(dialog.getByText('Is it still there?')).toBeVisible();
  const messageMail = await quadServer.mail.take(person.email, 'wrote to you about');
  expect(messageMail.text).toContain('Is it still there?');
  await ben.goto('/messages');
  await expect(ben.getByRole('heading', { name: person.name })).toBeVisible();
  await expect(ben.getByPlaceholder('Type your message...')).toBeVisible();

  await lea.goto('/post-ad');
  await lea.getByRole('textbox', { name: 'Title', exact: true }).fill('A listing that is never posted');
  const listSavedForms = () =>
    lea.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('quad.saved.')));
  expect(await listSavedForms()).toHaveLength(1);
  await lea.goto('/profile?tab=settings');

  await test.step('the download says when it fails, and is a file with everything', async () => {
    const download = lea.getByRole('button', { name: 'Download my data' });
    await intercept(lea, '**/rest/v1/me/data', (route) => route.abort());
    await download.click();
    await expect(lea.getByText('Service unavailable, please retry shortly.')).toBeVisible();
    await lea.unroute('**/rest/v1/me/data');
    const [file] = await Promise.all([lea.waitForEvent('download'), download.click()]);
    await expect(lea.getByText('Your data was downloaded')).toBeVisible();
    expect(file.suggestedFilename()).toMatch(/^quad-data-\d{4}-\d\d-\d\d\.json$/);
    const data = JSON.parse(await readFile(await file.path(), 'utf8'));
    expect(data).toMatchObject({
      site: quadServer.url,
      profile: { email: person.email, full_name: person.name },
      listings: [{ title: listingTitle }],
      conversations: [{ with: 'Ben Buyer', messages: [{ from: 'other', text: 'Is it still there?' }] }],
    });
  });

  const leave = lea.getByRole('button', { name: 'Delete Account' });
  const question = lea.getByRole('dialog', { name: 'Delete Account' });
  const word = question.getByRole('textbox', { name: 'Type DELETE to confirm' });
  const confirm = question.getByRole('button', { name: 'Delete Account' });

  await test.step('deleting asks for the word, and can be left again', async () => {
    await leave.click();
    await expect(word).toBeFocused();
    await expect(question).toHaveAccessibleDescription('This cannot be undone.');
    await expect(question).toContainText('Open offers and holds end.');
    await confirm.click();
    await expect(word).toHaveAccessibleDescription('Type DELETE to confirm');
    await expect(word).toHaveAttribute('aria-invalid', 'true');
    await expect(word).toBeFocused();
    expect(await runAxe(lea, { within: '[role=dialog]' })).toEqual([]);
    await word.fill('delete');
    await confirm.click();
    await expect(word).toHaveAttribute('aria-invalid', 'true');
    await lea.keyboard.press('Escape');
    await expect(question).toHaveCount(0);
    await expect(leave).toBeFocused();
  });

  await test.step('a failure is told, and nothing is lost by it', async () => {
    await leave.click();
    await word.fill('DELETE');
    await intercept(lea, '**/rest/v1/me', (route) => route.abort());
    await confirm.click();
    await expect(question.getByText('Service unavailable, please retry shortly.')).toBeVisible();
    await expect(word).toHaveValue('DELETE');
    await lea.unroute('**/rest/v1/me');
  });

  await test.step('it leads home, signed out', async () => {
    await word.press('Enter');
    await expect(lea.getByText('Your account was deleted')).toBeVisible();
    await expect(lea).toHaveURL(/\/$/);
    await expect.poll(listSavedForms).toEqual([]);
    await expect(lea.getByRole('banner').getByRole('link', { name: 'Login' })).toBeVisible();
    await lea.goto('/profile');
    await expect(lea).toHaveURL(/\/login/);
    await lea.goto(listing);
    await expect(lea.getByText('Listing Not Found')).toBeVisible();
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

  await test.step('the address is free again, for somebody who sees nothing of before', async () => {
    await lea.goto('/login');
    await lea.getByRole('textbox', { name: 'Email', exact: true }).fill(person.email);
    await lea.getByRole('textbox', { name: 'Password', exact: true }).fill(defaultPassword);
    await lea.getByRole('button', { name: 'Log In', exact: true }).click();
    await expect(lea.getByText('No account found. Please sign up.')).toBeVisible();
    await signUpInBrowser(lea, quadServer, { ...person, name: 'Lea Again' });
    await lea.goto('/messages');
    await expect(lea.getByText('No conversations yet')).toBeVisible();
  });
  await Promise.all([lea.context().close(), ben.context().close()]);
});
