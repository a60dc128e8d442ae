import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import type { Category } from '#contract/categories.ts';
import { createPhotoFile } from './support/photos.ts';
import { type QuadServer, startQuad } from './support/quad-server.ts';
import { createAccount } from './support/sign-in.ts';
import { textsByJourney } from './support/specification-texts.ts';
import {
  callApi,
  openConversation,
  openSignedInBrowser,
  postConversationMessage,
  postListing,
  type Student,
  signUp,
} from './support/students.ts';
import { intercept, test } from './support/test.ts';

// These tests check those texts of the specification that no other end-to-end test checks.

let quadServer: QuadServer;
let studentCount = 0;
test.beforeAll(async () => {
  quadServer = await startQuad();
});
test.afterAll(() => quadServer.stop());

const createStudent = (domain = 'usc.edu'): Promise<Student> => {
  studentCount += 1;
  return signUp(quadServer, 'Tess Text', `tess.${studentCount}@${domain}`);
};
/** Opens a page in a browser in which this student is signed in. */
const openPageAsStudent = async (
  browser: Parameters<typeof openSignedInBrowser>[0],
  student: Student,
  path: string,
): Promise<Page> => {
  const context = await openSignedInBrowser(browser, quadServer, student);
  const page = await context.newPage();
  await page.goto(path);
  return page;
};
const expectText = (page: Page, text: string | RegExp) => expect(page.getByText(text).last()).toBeVisible();
const expectLink = (page: Page, name: string) =>
  expect(page.getByRole('main').getByRole('link', { name, exact: true }).first()).toBeVisible();
const getMainButton = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });
const failedResponse = { status: 500, json: { error: '', code: 'other' } };
const createLampPhoto = () => createPhotoFile('lamp.jpg', { r: 200, g: 120, b: 60 });

const createListingBody = (category: Category, contactEmail: string) => ({
  title: 'Text for somebody to read',
  category,
  condition: 'good',
  price: category === 'free' ? 0 : 12,
  description: 'Something that somebody on campus wants to have a look at, and soon.',
  location: 'Parkside',
  contactEmail,
  photos: [],
  status: 'published',
});
const publishListing = (student: Student, category: Category) =>
  postListing(quadServer, student, 'Text for somebody to read', { category });

const stringLiteralPattern =
  /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|\/(?:[^/\\\n]|\\.)+\//g;

/**
 * Returns the contents of all string and regular-expression literals in an end-to-end test, which
 * is one file or all files of a folder.
 */
const listLiterals = (journey: string): string[] => {
  const path = join(import.meta.dirname, journey);
  const files = journey.endsWith('.ts') ? [path] : readdirSync(path).map((name) => join(path, name));
  return files
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(stringLiteralPattern)])
    .map(([literal]) =>
      literal.slice(1, -1).replace(/^\^/, '').replace(/\$$/, '').replaceAll(/\\(.)/g, '$1'),
    );
};

test('every text quoted in the specification appears in the end-to-end test assigned to it', () => {
  for (const [journey, texts] of Object.entries(textsByJourney)) {
    const said = listLiterals(journey);
    // A short text could occur in unrelated literals by chance, so it must be a whole literal or the first
    // words of one.
    const missing = texts.filter(
      (text) =>
        !said.some((it) =>
          text.length < 12 ? it === text || it.startsWith(`${text.trimEnd()} `) : it.includes(text),
        ),
    );
    expect(missing, journey).toEqual([]);
  }
});

test('the home page, navigation and footer show the specified wording', async ({ page }) => {
  await publishListing(await createStudent(), 'kitchen');
  await page.goto(quadServer.url);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  for (const name of ['Home', 'Game Day', 'Merchandise', 'Rentals', 'My Listings']) {
    await expect(navigation.getByRole('link', { name, exact: true })).toBeVisible();
  }
  const footer = page.getByRole('contentinfo');
  for (const name of ['Categories', 'For Students', 'Company']) {
    await expect(footer.getByRole('heading', { name, exact: true })).toBeVisible();
  }
  await expect(footer.getByText(/2024/)).toBeVisible();
  for (const name of ['Explore Categories', 'Game Day Exchange', 'Furniture & Essentials', 'Recent Posts']) {
    await expect(page.getByRole('main').getByRole('heading', { name, exact: true })).toBeVisible();
  }
  await expectText(page, 'Tickets, Tailgate Passes & Gear');
  await page.getByRole('link', { name: 'View All' }).click();
  await expect(page).toHaveURL(/\/browse$/);
});

test('empty categories and the category filters show the specified wording', async ({ page }) => {
  const categories = [
    ['game-day', /Game Day Marketplace/, 'No game day listings yet. Be the first to post!'],
    ['merchandise', /Show Your Trojan Pride/, 'No merchandise listings available yet.'],
    ['rentals', 'Share and Save — Rent What You Need', 'No rental listings available yet.'],
    ['furniture', 'Furniture & Essentials', 'No furniture listings available yet.'],
    ['study-items', 'Study items', 'No items found'],
  ] as const;
  for (const [slug, heading, nothing] of categories) {
    await page.goto(`${quadServer.url}/category/${slug}`);
    await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await expectText(page, nothing);
    await expectLink(page, 'Back to Home');
  }
  await expectText(page, 'Be the first to list an item in this category!');
  await expect(page.getByRole('link', { name: 'Post an Item' })).toHaveAttribute('href', '/post-ad');

  await page.goto(`${quadServer.url}/category/game-day`);
  const choose = (label: string, option: string) =>
    page.getByLabel(label, { exact: true }).selectOption(option);
  for (const [label, options] of [
    ['Category', ['Tickets', 'Tailgate Gear', 'Parking Passes', 'All Categories']],
    ['Price Range', ['$0-$50', '$50-$100', '$100+', 'Any']],
  ] as const) {
    for (const option of options) await choose(label, option);
  }
  const dates = page.getByLabel('Game Date', { exact: true }).getByRole('option');
  for (const [index, text] of ['All', 'This Week', 'Next Week', 'This Month'].entries()) {
    await expect(dates.nth(index)).toHaveText(
      index === 0 ? text : new RegExp(`^${text} \\(\\w{3} \\d+ – .*\\d\\)$`),
    );
  }
  await page.goto(`${quadServer.url}/category/merchandise`);
  for (const size of ['Small', 'Medium', 'Large', 'XL', 'All']) await choose('Size', size);
});

test('a rental, its seller, and a missing listing show the specified wording', async ({ page }) => {
  const seller = await createStudent('example.com');
  const rental = await publishListing(seller, 'rentals');
  await page.goto(`${quadServer.url}/category/rentals`);
  await expect(page.getByRole('listitem').getByText('For Rent', { exact: true })).toBeVisible();
  await expect(page.getByRole('listitem').getByText('flexible')).toBeVisible();
  await page.goto(`${quadServer.url}/listing/${rental.slug}`);
  await expectText(page, 'USC Community Member');
  await callApi(quadServer, `/rest/v1/me/listings/${rental.id}`, { token: seller.token, method: 'DELETE' });
  await page.goto(`${quadServer.url}/listing/${rental.slug}`);
  await expect(page.getByRole('heading', { name: 'Listing Not Found' })).toBeVisible();
  await expectText(page, "Sorry, we couldn't find that listing. It may have been sold or removed.");
  await expectLink(page, 'Back to Marketplace');
});

test('a search without results offers other searches', async ({ page }) => {
  for (const word of ['furniture', 'textbook', 'hoodie', 'ticket', 'rental', 'bike']) {
    await page.goto(`${quadServer.url}/search?q=unicorn`);
    await expect(page.getByRole('heading', { name: 'No results found' })).toBeVisible();
    await expectLink(page, 'Browse All Listings');
    await expectLink(page, 'Browse Game Day');
    await page.getByRole('main').getByRole('link', { name: word, exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`/search\\?q=${word}$`));
  }
});

test('the public forms show the specified wording', async ({ page }) => {
  await page.goto(`${quadServer.url}/contact`);
  await expectText(page, 'Please use your USC email address');
  for (const topic of ['Bug Report', 'Safety Concern', 'Feature Request', 'Other']) {
    await page.getByLabel('Topic').selectOption(topic);
  }
  await page.goto(`${quadServer.url}/careers`);
  await expect(page.getByRole('button', { name: 'Apply Now' })).toHaveCount(2);
});

test('shows each validation message of the listing form beside its field', async ({ browser }) => {
  const student = await createStudent();
  const page = await openPageAsStudent(browser, student, '/post-ad');
  const text = (name: string) => page.getByRole('textbox', { name, exact: true });
  await text('Title').fill('Kettle');
  await page.getByLabel('Category').selectOption('game-day');
  await page.getByLabel('Condition').selectOption('good');
  await page.getByRole('textbox', { name: 'Price' }).fill('1.999');
  await page.getByLabel('Game date').fill('2020-01-01');
  await text('Description').fill('Short');
  await text('Location').fill('x'.repeat(201));
  await text('Contact email').fill('nobody');
  await text('Contact phone').fill('call me');
  const tryIt = async (...sentences: string[]) => {
    await getMainButton(page, 'Post Ad').click();
    for (const sentence of sentences) await expectText(page, sentence);
  };
  await tryIt(
    'Validation failed',
    'Please fix the errors before submitting',
    'Title must be at least 10 characters',
    'Price can have at most 2 decimal places',
    'Game date must be today or in the future',
    'Description must be at least 40 characters',
    'Location must be at most 200 characters',
    'Invalid email address',
    'Invalid phone number format',
  );
  await text('Title').fill('x'.repeat(81));
  await page.getByRole('textbox', { name: 'Price' }).fill('0');
  await text('Description').fill('x'.repeat(1001));
  await text('Contact phone').fill('12');
  await tryIt(
    'Title must be at most 80 characters',
    'Price must be greater than 0',
    'Description must be at most 1000 characters',
    'Phone number must be at least 10 digits',
  );
  await text('Title').fill('A kettle for long nights 🫖');
  await tryIt('Title cannot contain emojis');
  await page.context().close();
});

test('the server rejects input that the forms never send, with the specified messages', async ({
  request,
}) => {
  const student = await createStudent();
  const url = `${quadServer.url}/functions/v1/create-listing`;
  const send = async (change: object, headers = { authorization: `Bearer ${student.token}` }) => {
    const answer = await request.post(url, {
      headers,
      data: { ...createListingBody('kitchen', student.email), ...change },
    });
    return { status: answer.status(), text: await answer.text() };
  };
  expect(await send({}, {} as never)).toEqual({
    status: 401,
    text: expect.stringContaining('Not authenticated'),
  });
  for (const [change, sentence] of [
    [{ gameDate: 'soon', category: 'game-day' }, 'Invalid date format'],
    [
      { category: 'free', price: 5 },
      'Price must be $0.00 for free items or greater than $0.00 for other categories',
    ],
    [
      { photos: Array.from({ length: 6 }, (_, n) => `/storage/v1/object/public/x/${n}`) },
      'Maximum 5 photos allowed',
    ],
  ] as const) {
    expect(await send(change)).toEqual({ status: 400, text: expect.stringContaining(sentence) });
  }
  const nameless = await request.post(`${quadServer.url}/auth/v1/signup`, { data: {} });
  expect(await nameless.text()).toContain('You must provide either an email or phone number and a password');
});

test('photos that are rejected, fail, or are still uploading show the specified messages', async ({
  browser,
}) => {
  const page = await openPageAsStudent(browser, await createStudent(), '/post-ad');
  const pick = (files: { name: string; mimeType: string; buffer: Buffer }[]) =>
    page.getByLabel('Choose photos').first().setInputFiles(files);
  const good = await createLampPhoto();
  await pick([{ name: 'cv.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') }]);
  await expectText(page, 'Invalid file');
  await expectText(page, 'Only JPG, JPEG, PNG, and WEBP images are allowed');
  const heavy = Buffer.concat([good.buffer, Buffer.alloc(11 * 1024 * 1024 - good.buffer.length)]);
  await pick([{ ...good, buffer: heavy }]);
  await expectText(page, 'File size must be less than 10MB (11.0MB)');

  const store = '**/storage/v1/object/listing-photos**';
  await pick([{ ...good, buffer: Buffer.from('no photo at all') }]);
  await expectText(page, 'Upload failed');
  await expectText(page, 'Failed to upload image. Please try again.');
  await page.getByRole('button', { name: 'Remove photo 1' }).click();

  let answer = () => {};
  const slow = new Promise<void>((done) => {
    answer = done;
  });
  await intercept(page, store, async (route) => {
    await slow;
    await route.fallback();
  });
  await pick(Array.from({ length: 6 }, (_, n) => ({ ...good, name: `${n}.jpg` })));
  await expectText(page, 'Too many photos');
  await expectText(page, 'Maximum 5 photos allowed');
  await getMainButton(page, 'Save as Draft').click();
  await expectText(page, 'Upload in progress');
  await expectText(page, 'Please wait for all photos to finish uploading');
  answer();
  await page.context().close();
});

test('empty tabs, incomplete drafts, edits and failures in My Listings show the specified messages', async ({
  browser,
}) => {
  const student = await createStudent();
  const page = await openPageAsStudent(browser, student, '/my-listings');
  await expectText(page, 'No active listings');
  await expectLink(page, 'Create New Listing');
  const tab = (name: string) => page.getByRole('tab', { name: new RegExp(`^${name}`) });
  await tab('Rented').click();
  await expectText(page, 'No rental listings yet');
  await expect(page.getByRole('tab', { name: /^Rented/ })).toHaveAttribute('aria-selected', 'true');
  await tab('Sold').click();
  await expectText(page, 'Nothing sold yet');
  await tab('Drafts').click();
  await expectText(page, 'No draft listings');

  await test.step('an empty draft cannot be published, and says all that it lacks', async () => {
    await page.goto('/post-ad');
    await page.getByRole('button', { name: 'Remove contact email' }).click();
    await intercept(page, '**/functions/v1/create-listing', (route) => route.fulfill(failedResponse));
    await getMainButton(page, 'Save as Draft').click();
    await expectText(page, 'Failed to save listing. Please try again.');
    await page.unroute('**/functions/v1/create-listing');
    await getMainButton(page, 'Save as Draft').click();
    await expectText(page, 'Draft saved');
    await page.goto('/my-listings');
    await tab('Drafts').click();
    await expect(page.getByRole('main').getByText('Draft', { exact: true })).toBeVisible();
    await getMainButton(page, 'Publish Item Untitled draft').click();
    await expectText(page, 'Failed to update listing');
    for (const reason of [
      'Title must be at least 10 characters',
      'Please select a category',
      'Please select a condition',
      'Price is required',
      'Description must be at least 40 characters',
      'Location is required',
      'At least one contact method (email or phone) is required',
    ]) {
      await expectText(page, reason);
    }
  });

  await test.step('an edit is published', async () => {
    const { id } = await publishListing(student, 'kitchen');
    await page.goto(`/post-ad?edit=${id}`);
    await expect(page.getByRole('heading', { level: 1, name: 'Edit Your Listing' })).toBeVisible();
    await page.getByRole('textbox', { name: 'Price' }).fill('13');
    await getMainButton(page, 'Update Listing').click();
    await expectText(page, 'Listing updated');
    await expect(page).toHaveURL(/\/listing\//);
    await page.goto('/post-ad?edit=7b0e6a37-6f60-4d1a-9d57-0f4c0a1c3f11');
    await expectText(page, 'Failed to load listing data');
  });

  await test.step('what fails is taken back and said', async () => {
    await page.goto('/my-listings');
    const title = 'Text for somebody to read';
    await getMainButton(page, `Delete ${title}`).waitFor();
    const own = '**/rest/v1/me/listings**';
    await intercept(page, own, (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.fulfill(failedResponse),
    );
    await getMainButton(page, `Delete ${title}`).click();
    await expectText(page, 'Failed to delete listing');
    await expect(getMainButton(page, `Delete ${title}`)).toBeVisible();
    await getMainButton(page, `Mark as Draft ${title}`).click();
    await expectText(page, 'Failed to update listing');
    await intercept(page, own, (route) => route.fulfill(failedResponse));
    await page.reload();
    await expectText(page, 'Failed to load your listings');
  });
  await page.context().close();
});

test('Messages shows the specified wording while it loads and when loading fails', async ({ browser }) => {
  const ada = await createStudent();
  const ben = await createStudent();
  const talk = await openConversation(
    quadServer,
    ben,
    await postListing(quadServer, ada, 'Walnut desk lamp'),
  );
  await postConversationMessage(quadServer, ben, talk, 'Hello');
  const context = await openSignedInBrowser(browser, quadServer, ben);
  const page = await context.newPage();
  // A script records the text, because the page shows it only briefly, until the first conversation opens
  // automatically.
  await page.addInitScript(() => {
    const words = 'Select a conversation to start messaging';
    new MutationObserver(() => {
      if (document.body?.textContent?.includes(words)) document.documentElement.dataset.seen = words;
    }).observe(document, { childList: true, subtree: true });
  });
  await page.goto('/messages');
  await expect(page.getByText('Hello', { exact: true }).first()).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-seen', 'Select a conversation to start messaging');
  await intercept(page, /\/rest\/v1\/conversations(\?|$)/, (route) => route.fulfill(failedResponse));
  await page.goto('/messages');
  await expectText(page, 'Failed to load conversations');
  await context.close();
});

test('profiles that cannot be loaded or set up, and avatars that cannot be changed, show the specified messages', async ({
  browser,
}) => {
  studentCount += 1;
  const session = await createAccount(quadServer, `tess.${studentCount}@usc.edu`);
  const context = await browser.newContext({ baseURL: quadServer.url });
  await context.addInitScript((stored) => localStorage.setItem('quad.session', stored), session);
  const page = await context.newPage();
  const me = '**/rest/v1/me';
  await intercept(page, me, (route) => route.fulfill(failedResponse));
  await page.goto('/profile');
  await expectText(page, 'Failed to load profile');
  await page.unroute(me);

  await page.goto('/profile-setup');
  await intercept(page, me, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill(failedResponse),
  );
  await page.getByRole('radio', { name: 'Staff' }).check();
  await page.getByLabel('Full name').fill('Tess Text');
  await getMainButton(page, 'Complete Setup').click();
  await expectText(page, 'Setup failed');
  await getMainButton(page, 'Skip for now').click();
  await expectText(page, 'Could not skip setup. Please try again');
  await page.unroute(me);

  const pickAvatar = async () => {
    await page.getByLabel('Choose a profile picture').setInputFiles(await createLampPhoto());
    await page.getByRole('dialog').getByRole('button', { name: 'Use Photo' }).click();
  };
  const avatars = '**/storage/v1/object/avatars**';
  await intercept(page, avatars, (route) => route.abort());
  await pickAvatar();
  await expectText(page, 'Could not upload image. Try again');
  await page.unroute(avatars);
  await pickAvatar();
  await expectText(page, 'Avatar uploaded successfully');
  await getMainButton(page, 'Complete Setup').click();
  await expectText(page, 'Profile created');
  await expect(page.getByRole('main').getByText('Staff', { exact: true })).toBeVisible();

  await page.goto('/profile/edit');
  await intercept(page, me, (route) =>
    route.request().method() === 'GET' ? route.fallback() : route.fulfill(failedResponse),
  );
  await intercept(page, '**/storage/v1/object/**', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill(failedResponse) : route.fallback(),
  );
  await getMainButton(page, 'Remove').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expectText(page, 'Failed to remove avatar');
  await context.close();
});
