import { type Browser, expect, type Locator, type Page } from '@playwright/test';
import { createUniqueEmailAddress, test } from './support/fixtures.ts';
import { createPhotoFile } from './support/photos.ts';
import type { QuadServer } from './support/quad-server.ts';
import { callApi, openSignedInBrowser, postListing, type Student, signUp } from './support/students.ts';
import { intercept } from './support/test.ts';

// The tests of this file are independent of each other, so they run in several workers.
test.describe.configure({ mode: 'parallel' });

let quadServer: QuadServer;
let seller: Student;
test.beforeAll(async ({ quad }) => {
  quadServer = quad;
  seller = await signUp(quadServer, 'Sam Seller', createUniqueEmailAddress('sam'));
});

const openPageAsSeller = async (browser: Browser, path: string): Promise<Page> => {
  const page = await (await openSignedInBrowser(browser, quadServer, seller)).newPage();
  await page.goto(path);
  return page;
};

/** Delays requests until `release` is called; `count` returns how many have been sent. */
const holdRequests = async (page: Page, pattern: string, method: string) => {
  const asked: unknown[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await intercept(page, pattern, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    asked.push(method);
    await released;
    return route.continue();
  });
  return { count: () => asked.length, release };
};

const getButton = (page: Page, name: string): Locator => page.getByRole('button', { name });
const getTextField = (page: Page, name: string): Locator =>
  page.getByRole('textbox', { name: new RegExp(`^${name}`) });

/**
 * Expects that a busy submit button ignores further clicks, and that its form ignores the Enter
 * key.
 */
const expectNoResubmit = async (page: Page, sends: Locator, typesIn: Locator): Promise<void> => {
  await expect(sends).toHaveAttribute('aria-disabled', 'true');
  await expect(sends).toHaveAttribute('aria-busy', 'true');
  await sends.dispatchEvent('click');
  await typesIn.focus();
  await page.keyboard.press('Enter');
  await expect(sends).toHaveAttribute('aria-busy', 'true');
};

const fillListing = async (page: Page, title: string): Promise<void> => {
  await getTextField(page, 'Title').fill(title);
  await page.getByLabel('Category').selectOption('furniture');
  await page.getByLabel('Condition').selectOption('good');
  await page.getByRole('textbox', { name: 'Price' }).fill('25');
  await getTextField(page, 'Description').fill(
    'A lamp that stands on the floor and bends its neck over a book.',
  );
  await getTextField(page, 'Location').fill('Parkside');
  await getTextField(page, 'Contact email').fill(seller.email);
};

const listOwnListings = () =>
  callApi<{ items: { title: string; status: string; location: string | null }[] }>(
    quadServer,
    '/rest/v1/me/listings',
    {
      token: seller.token,
    },
  );

test('with a slow server, a changed profile is sent once, and the input stays until it is saved', async ({
  browser,
}) => {
  const page = await openPageAsSeller(browser, '/profile/edit');
  const name = getTextField(page, 'Full name');
  await name.fill('Samuel Seller');
  await getTextField(page, 'Bio').fill('Sells what he has read.');
  const calls = await holdRequests(page, '**/rest/v1/me', 'PATCH');
  await getButton(page, 'Save Changes').click();
  await expect.poll(calls.count).toBe(1);
  await expectNoResubmit(page, getButton(page, 'Save Changes'), name);
  await expect(name).toHaveValue('Samuel Seller');
  await expect(name).not.toBeEditable();
  await expect(getTextField(page, 'Bio')).toHaveValue('Sells what he has read.');
  expect(calls.count()).toBe(1);
  calls.release();
  await expect(page).toHaveURL(/\/profile$/);
  await expect(page.getByText('Profile updated')).toBeVisible();
  await expect(page.getByText('Sells what he has read.')).toBeVisible();
  expect(calls.count()).toBe(1);
  await page.context().close();
});

test('with a slow server, a new listing and its photo are sent once', async ({ browser }) => {
  const page = await openPageAsSeller(browser, '/post-ad');
  await fillListing(page, 'Reading lamp with a long neck');
  const uploads = await holdRequests(page, '**/storage/v1/object/listing-photos', 'POST');
  await page
    .getByLabel('Choose photos')
    .setInputFiles([await createPhotoFile('lamp.jpg', { r: 200, g: 90, b: 60 })]);
  await expect.poll(uploads.count).toBe(1);
  await getButton(page, 'Post Ad').click();
  await expect(page.getByText('Please wait for all photos to finish uploading')).toBeVisible();
  uploads.release();
  await expect(page.getByRole('progressbar')).toHaveCount(0);

  const calls = await holdRequests(page, '**/functions/v1/create-listing', 'POST');
  await getButton(page, 'Post Ad').click();
  await expect.poll(calls.count).toBe(1);
  await expectNoResubmit(page, getButton(page, 'Post Ad'), getTextField(page, 'Location'));
  await expect(getButton(page, 'Save as Draft')).toBeDisabled();
  await expect(getTextField(page, 'Title')).toHaveValue('Reading lamp with a long neck');
  calls.release();
  await expect(page.getByText('Your listing is published.')).toBeVisible();
  await expect(page).toHaveURL(/\/listing\/reading-lamp/);
  expect(calls.count()).toBe(1);
  const { items } = await listOwnListings();
  expect(items.filter(({ title }) => title.startsWith('Reading lamp'))).toHaveLength(1);
  await page.context().close();
});

test('posting again after the response was lost creates only one listing', async ({ browser }) => {
  const page = await openPageAsSeller(browser, '/post-ad');
  await fillListing(page, 'Bookends shaped like whales');
  await intercept(
    page,
    '**/functions/v1/create-listing',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await getButton(page, 'Post Ad').click();
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await getTextField(page, 'Title').fill('Bookends shaped like two whales');
  await getButton(page, 'Post Ad').click();
  await expect(page.getByText('Your listing is published.')).toBeVisible();
  const { items } = await listOwnListings();
  expect(items.filter(({ title }) => title.startsWith('Bookends')).map(({ title }) => title)).toEqual([
    'Bookends shaped like two whales',
  ]);
  await page.context().close();
});

test('a seller who leaves the form before the new listing opens is not redirected to the listing later', async ({
  browser,
}) => {
  const page = await (await openSignedInBrowser(browser, quadServer, seller)).newPage();
  await page.clock.install();
  await page.goto('/post-ad');
  await fillListing(page, 'Globe that lights up from inside');
  await getButton(page, 'Post Ad').click();
  await expect(page.getByText('Your listing is published.')).toBeVisible();
  const shown: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/listing/globe')) shown.push(request.url());
  });
  const main = page.getByRole('navigation', { name: 'Main' });
  await main.getByRole('link', { name: 'Game Day' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Game Day Marketplace/ })).toBeVisible();
  await page.clock.runFor(5_000);
  await main.getByRole('link', { name: 'Rentals' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /Rent What You Need/ })).toBeVisible();
  expect(shown).toEqual([]);
  await page.context().close();
});

test('input typed while a draft is being saved stays, counts as unsaved, and is saved into the same draft', async ({
  browser,
}) => {
  const page = await openPageAsSeller(browser, '/post-ad');
  await getTextField(page, 'Title').fill('Shelf of five boards');
  const calls = await holdRequests(page, '**/functions/v1/create-listing', 'POST');
  await getButton(page, 'Save as Draft').click();
  await expect.poll(calls.count).toBe(1);
  await expectNoResubmit(page, getButton(page, 'Save as Draft'), getTextField(page, 'Title'));
  await expect(getButton(page, 'Post Ad')).toBeDisabled();
  await getTextField(page, 'Location').fill('Webb Tower');
  calls.release();
  await expect(page.getByText('Draft saved')).toBeVisible();
  await expect(page).toHaveURL(/\/post-ad\?edit=/);
  await expect(getTextField(page, 'Location')).toHaveValue('Webb Tower');

  await page.getByRole('main').getByRole('link', { name: 'My Listings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Listings' })).toBeVisible();
  await page.goBack();
  await expect(page.getByText('Continue your unsaved changes?')).toBeVisible();
  await getButton(page, 'Continue').click();
  await expect(getTextField(page, 'Location')).toHaveValue('Webb Tower');
  await getButton(page, 'Save as Draft').click();
  await expect.poll(calls.count).toBe(2);
  await expect(page.getByText('Saved on this device')).toHaveCount(0);
  await page.getByRole('main').getByRole('link', { name: 'My Listings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'My Listings' })).toBeVisible();
  const drafts = (await listOwnListings()).items.filter(({ title }) => title === 'Shelf of five boards');
  expect(drafts).toMatchObject([{ status: 'draft', location: 'Webb Tower' }]);
  await page.context().close();
});

test('typing while an update is being saved keeps the form open for another update', async ({ browser }) => {
  const { id } = await postListing(quadServer, seller, 'Desk with a drawer that locks');
  const page = await openPageAsSeller(browser, `/post-ad?edit=${id}`);
  await getTextField(page, 'Location').fill('Cardinal Gardens');
  const calls = await holdRequests(page, '**/functions/v1/create-listing', 'POST');
  await getButton(page, 'Update Listing').click();
  await expect.poll(calls.count).toBe(1);
  await expectNoResubmit(page, getButton(page, 'Update Listing'), getTextField(page, 'Location'));
  await getTextField(page, 'Title').fill('Desk with a drawer that locks well');
  calls.release();
  await expect(page.getByText('Listing updated')).toBeVisible();
  await expect(getTextField(page, 'Title')).toHaveValue('Desk with a drawer that locks well');
  await getButton(page, 'Update Listing').click();
  await expect.poll(calls.count).toBe(2);
  await expect(page).toHaveURL(/\/listing\/desk-with-a-drawer/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Desk with a drawer that locks well');
  await page.context().close();
});
