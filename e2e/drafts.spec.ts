import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { waitForPageHistoryEntry } from './support/overlays.ts';
import { createPhotoFile } from './support/photos.ts';
import { callApi, openSignedInBrowser, postListing, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

// These tests check that text typed into the message composer, dialogs and forms is saved on the device.
// posting.spec.ts tests the posting form.

const field = (page: Page, name: string) => page.getByRole('main').getByLabel(name);
const message = (page: Page) => page.getByPlaceholder('Type your message...');

/** Returns the storage keys of everything that forms have saved in this browser. */
const listSaved = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const texts = Object.keys(localStorage);
    return [...texts, ...(await caches.keys())].filter((name) => name.startsWith('quad.saved.'));
  });

const tapLogout = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
};

test('promise 59: text in the composer, dialogs and forms survives a closed tab, until a log-out', async ({
  browser,
  quad,
}) => {
  const [ada, ben] = [
    await signUp(quad, 'Ada Seller', createUniqueEmailAddress('ada')),
    await signUp(quad, 'Ben Buyer', createUniqueEmailAddress('ben')),
  ];
  const { id, slug } = await postListing(quad, ada, 'Walnut desk lamp');
  const context = await openSignedInBrowser(browser, quad, ben);
  let page = await context.newPage();
  /** Closes the tab and opens the path in a new one. */
  const reopen = async (path: string): Promise<void> => {
    await page.close();
    page = await context.newPage();
    await page.goto(path);
  };

  await test.step('the first message about a listing', async () => {
    await page.goto(`/listing/${slug}?message=1`);
    await message(page).fill('Is it bright?');
    await reopen(`/listing/${slug}?message=1`);
    await expect(message(page)).toHaveValue('Is it bright?');
  });

  await test.step('other tabs show the same draft, which ends when it is sent', async () => {
    const other = await context.newPage();
    await other.goto(`/listing/${slug}?message=1`);
    await message(other).fill('Is it still bright?');
    await expect(message(page)).toHaveValue('Is it still bright?');
    await message(other).press('Enter');
    await expect(other.getByText('Is it still bright?')).toBeVisible();
    await expect(message(page)).toHaveValue('');
    await other.close();
  });

  await test.step('a report', async () => {
    await page.goto(`/listing/${slug}`);
    await page.getByRole('button', { name: 'Report Listing' }).click();
    await page.getByRole('dialog').getByLabel('Details').fill('It says forty dollars, but');
    await reopen(`/listing/${slug}`);
    await page.getByRole('button', { name: 'Report Listing' }).click();
    await expect(page.getByRole('dialog').getByLabel('Details')).toHaveValue('It says forty dollars, but');
  });

  await test.step('a counter-offer, a suggestion to meet and the reason of a cancellation, until they are sent', async () => {
    const deal = await callApi<{ id: string; conversation_id: string }>(quad, '/rest/v1/deals', {
      token: ben.token,
      body: { client_id: randomUUID(), listing_id: id, price: 5 },
    });
    const take = (token: string, body: object) =>
      callApi(quad, `/rest/v1/deals/${deal.id}/transitions`, {
        token,
        body: { client_id: randomUUID(), ...body },
      });
    const thread = `/messages?c=${deal.conversation_id}`;
    const open = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const openInMenu = async (name: string): Promise<void> => {
      await open('More actions for this deal');
      await page.getByRole('menuitem', { name }).click();
    };
    const dialog = () => page.getByRole('dialog');
    await take(ada.token, { transition: 'counter', price: 9 });
    await page.goto(thread);
    await open('Make a counter-offer');
    await dialog().getByLabel('Your price').fill('7.5');
    await reopen(thread);
    await open('Make a counter-offer');
    await expect(dialog().getByLabel('Your price')).toHaveValue('7.5');
    await open('Send counter-offer');
    await expect(page.getByText('You offer $7.50.')).toBeVisible();
    await take(ada.token, { transition: 'counter', price: 8 });
    await open('Make a counter-offer');
    await expect(dialog().getByLabel('Your price')).toHaveValue('');
    await open('Close');
    await open('Accept');

    await open('Suggest a time and place');
    await dialog().getByRole('radio', { name: 'Somewhere else' }).check();
    await dialog().getByLabel('Place').fill('Under the old oak');
    await reopen(thread);
    await open('Suggest a time and place');
    await expect(dialog().getByLabel('Place')).toHaveValue('Under the old oak');
    await open('Send suggestion');
    await expect(page.getByText('Ada Seller can choose one of your times.')).toBeVisible();

    await openInMenu('Cancel');
    await dialog().getByLabel('Reason').fill('I found another');
    await reopen(thread);
    await openInMenu('Cancel');
    await expect(dialog().getByLabel('Reason')).toHaveValue('I found another');
    await open('Cancel the deal');
    await expect(page.getByText('The deal was cancelled.')).toBeVisible();
  });

  await test.step('the contact form, which sending empties', async () => {
    await waitForPageHistoryEntry(page);
    await page.goto('/contact');
    await expect(page.getByRole('button', { name: 'Send Message' })).toBeEnabled();
    await field(page, 'Name').fill('Ben');
    await field(page, 'Topic').selectOption('Other');
    await field(page, 'Message').fill('How do I');
    await reopen('/contact');
    await expect(field(page, 'Topic')).toHaveValue('Other');
    await expect(field(page, 'Message')).toHaveValue('How do I');
    await field(page, 'Message').fill('How do I change my address on this site?');
    await field(page, 'University email').fill(ben.email);
    await page.getByRole('button', { name: 'Send Message' }).click();
    await expect(page.getByText('Message Received!')).toBeVisible();
    await page.reload();
    await expect(field(page, 'Message')).toHaveValue('');
  });

  await test.step('the profile, until Cancel', async () => {
    await page.goto('/profile/edit');
    await field(page, 'Bio').fill('Lamps and');
    await field(page, 'Role').selectOption('Alumni');
    await reopen('/profile/edit');
    await expect(page.getByText('Your unsaved changes are back')).toBeVisible();
    await expect(field(page, 'Bio')).toHaveValue('Lamps and');
    await expect(field(page, 'Role')).toHaveValue('Alumni');
    await expect(field(page, 'Full name')).toHaveValue('Ben Buyer');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.goto('/profile/edit');
    await expect(field(page, 'Role')).toHaveValue('Student');
    await expect(field(page, 'Bio')).toHaveValue('');
  });

  await test.step('a log-out erases everything, and what visitors type ends with the tab', async () => {
    expect(await listSaved(page)).toEqual([`quad.saved.${ben.id}.form.report listing ${id}`]);
    const other = await context.newPage();
    await other.goto(`/listing/${slug}`);
    await other.getByRole('button', { name: 'Report Listing' }).click();
    await expect(other.getByRole('dialog').getByLabel('Details')).toHaveValue('It says forty dollars, but');
    await tapLogout(page);
    await expect.poll(() => listSaved(page)).toEqual([]);
    await expect(other.getByRole('dialog')).toBeHidden();
    await other.close();
    await page.goto('/contact');
    await expect(page.getByRole('button', { name: 'Send Message' })).toBeEnabled();
    await field(page, 'Message').fill('Typed by a visitor');
    await page.reload();
    await expect(field(page, 'Message')).toHaveValue('Typed by a visitor');
    await reopen('/contact');
    await expect(field(page, 'Message')).toHaveValue('');
  });
  await context.close();
});

test('promise 59: saved data left behind by a tab that logged out is erased by another tab or at the next visit', async ({
  browser,
  quad,
}) => {
  const sam = await signUp(quad, 'Sam Seller', createUniqueEmailAddress('sam'));
  /**
   * Opens one tab with an unfinished listing, and another that fails to erase its saved files, like a tab
   * that is closed too early.
   */
  const openTabs = async () => {
    const context = await openSignedInBrowser(browser, quad, sam);
    const form = await context.newPage();
    await form.goto('/post-ad');
    await field(form, 'Title').fill('Floor lamp with a long neck');
    await form
      .getByLabel('Choose photos')
      .setInputFiles([await createPhotoFile('lamp.jpg', { r: 200, g: 90, b: 60 })]);
    await expect.poll(() => listSaved(form)).toHaveLength(2);
    await expect(form.getByRole('progressbar')).toHaveCount(0);
    const closing = await context.newPage();
    await closing.addInitScript(() => {
      CacheStorage.prototype.delete = () => new Promise(() => {});
    });
    return { context, form, closing };
  };

  await test.step('the next visit, when the last tab logged out', async () => {
    const { context, form, closing } = await openTabs();
    await form.close();
    await closing.goto('/about');
    await tapLogout(closing);
    await expect.poll(() => closing.evaluate(() => localStorage.getItem('quad.session'))).toBeNull();
    expect(await listSaved(closing)).toEqual([`quad.saved.${sam.id}`]);
    await closing.close();
    const next = await context.newPage();
    await next.goto('/terms');
    await expect.poll(() => listSaved(next)).toEqual([]);
    await context.close();
  });

  await test.step('another tab, also when a deletion of the account ended its session first', async () => {
    const { context, form, closing } = await openTabs();
    await closing.goto('/profile?tab=settings');
    let answer = () => {};
    await intercept(closing, '**/rest/v1/me', async (route) => {
      if (route.request().method() !== 'DELETE') return route.fallback();
      const response = await route.fetch();
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.fulfill({ response });
    });
    await closing.getByRole('button', { name: 'Delete Account' }).click();
    const dialog = closing.getByRole('dialog');
    await dialog.getByLabel('Type DELETE to confirm').fill('DELETE');
    await dialog.getByRole('button', { name: 'Delete Account' }).click();
    await expect(form).toHaveURL('/login?from=%2Fpost-ad');
    expect(await listSaved(form)).toHaveLength(2);
    answer();
    await expect.poll(() => listSaved(form)).toEqual([]);
    await context.close();
  });
});
