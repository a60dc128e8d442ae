import { expect } from '@playwright/test';
import { createUniqueEmailAddress } from '../support/fixtures.ts';
import { postConversationMessage, postListing, signUp } from '../support/students.ts';
import { getMessageInput, getMessageTexts, getThreadRegion, test, typeAndSend } from './screen.ts';

test('the message dialog asks visitors to sign in, then opens, shows answers live, and keeps the thread and draft', async ({
  browser,
  quad,
}) => {
  const ada = await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada'));
  const ben = await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben', 'example.com'));
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
    await expect(getMessageInput(page)).toBeFocused();
  });

  await test.step('writing, being answered live, leaving and coming back', async () => {
    await typeAndSend(page, 'Is it bright?');
    await expect(getThreadRegion(page).locator('time')).toHaveText(/^\d{1,2}:\d{2} [AP]M$/);
    const [talk] = (
      await (
        await fetch(`${quad.url}/rest/v1/conversations`, {
          headers: { authorization: `Bearer ${ben.token}` },
        })
      ).json()
    ).items;
    await postConversationMessage(quad, ada, talk, 'Very bright.');
    await expect.poll(() => getMessageTexts(page)).toEqual(['Is it bright?', 'Very bright.']);
    await getMessageInput(page).fill('half a thought');
    await page.keyboard.press('Escape');
    await expect(dialog).toHaveCount(0);
    await expect(page).toHaveURL(`/listing/${listing.slug}`);
    await opener.click();
    await expect.poll(() => getMessageTexts(page)).toEqual(['Is it bright?', 'Very bright.']);
    await expect(getMessageInput(page)).toHaveValue('half a thought');
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
