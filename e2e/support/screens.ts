import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { takePhoto } from './photos.ts';
import type { Quad } from './quad.ts';
import { logIn } from './sign-in.ts';

/** A screen, or one state of a screen, for screenshots and tests of all screens. */
export interface Screen {
  name: string;
  path: string;
  signedIn?: boolean;
  /** Brings the loaded page into the state to show. */
  prepare?: (page: Page) => Promise<unknown>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

const openFirstThread = async (page: Page): Promise<void> => {
  await page.getByRole('region', { name: 'Conversations' }).getByRole('link').first().click();
  await page.getByRole('region', { name: /^Messages with/ }).waitFor();
};

const sendMessagesOffline = async (page: Page): Promise<void> => {
  await openFirstThread(page);
  await page.context().setOffline(true);
  const input = page.getByPlaceholder('Type your message...');
  for (const text of ['I am on the train.', 'See you at five?']) {
    await input.fill(text);
    await input.press('Enter');
  }
  await page.getByText('Waiting for connection').last().waitFor();
  await input.fill('And one more');
};

const showEmptyInbox = async (page: Page): Promise<void> => {
  await page.route('**/rest/v1/conversations', (route) =>
    route.fulfill({ json: { items: [], next_cursor: null } }),
  );
  await page.reload();
  await page.getByText('No conversations yet').waitFor();
};

const showPostErrors = async (page: Page): Promise<void> => {
  await page.getByLabel('Title').fill('Short');
  await page.getByLabel('Category').selectOption('furniture');
  await page.getByLabel('Condition').selectOption('good');
  await page.getByLabel('Price').fill('-1');
  await page.getByLabel('Description').fill('Too short');
  await page.getByLabel('Location').fill('Parkside');
  await page.getByLabel('Contact phone').fill('12');
  await page.getByRole('button', { name: 'Post Ad' }).click();
  await page.getByText('Validation failed').waitFor();
};

const publishTakenDownListing = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Update Listing' }).click();
  await page.getByRole('alert').getByText('This listing was taken down').waitFor();
};

const addPhotos = async (page: Page): Promise<void> => {
  await page
    .getByLabel('Choose photos')
    .setInputFiles([
      await takePhoto('red.jpg', { r: 200, g: 90, b: 60 }),
      await takePhoto('blue.jpg', { r: 60, g: 90, b: 200 }),
      { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo at all') },
    ]);
  await page.getByText('Failed to upload image').first().waitFor();
  await page.getByRole('progressbar').first().waitFor({ state: 'detached' });
  await page.getByText('Photos', { exact: true }).scrollIntoViewIfNeeded();
};

const search = (page: Page) => page.getByRole('combobox', { name: 'Search' }).filter({ visible: true });

const showSuggestions = async (page: Page): Promise<void> => {
  await search(page).first().pressSequentially('desk');
  await page.getByRole('option').nth(2).waitFor();
  await page.keyboard.press('ArrowDown');
};

const openMenu = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menu').waitFor();
};

/** Returns a preparation that clicks a button and waits for the dialog that it opens. */
const openDialogBy = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click();
  await page.getByRole('dialog').waitFor();
};

/** Opens the menu with a listing's actions, which exists on phones only. */
const openRowMenu = async (page: Page): Promise<void> => {
  const menu = page.getByRole('button', { name: /^More actions/ }).first();
  if (await menu.isVisible()) await menu.click();
};

const askToDelete = async (page: Page): Promise<void> => {
  await openRowMenu(page);
  await page
    .getByRole('menuitem', { name: 'Delete' })
    .or(page.getByRole('button', { name: /^Delete/ }))
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
};

const openTab = (name: RegExp) => (page: Page) => page.getByRole('tab', { name }).click();

/** Reloads the page with its API calls blocked, so that it shows its skeleton. */
const showSkeleton = async (page: Page): Promise<void> => {
  await page.route('**/rest/v1/**', () => new Promise(() => {}));
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page
    .getByRole('main')
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: 'attached' });
};

const goOffline = async (page: Page): Promise<void> => {
  await page.locator('body > div > [role=status]:only-child').waitFor({ state: 'attached' });
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
};

const unfoldFilters = async (page: Page): Promise<void> => {
  const summary = page.getByText('Filters', { exact: true });
  if (!(await summary.isVisible())) return;
  await summary.click();
  await page.getByRole('dialog').waitFor();
};

/** Takes a listing down with the administrator's command. */
const takeDownListing = (quad: Quad, slug: string): void => {
  const reason =
    'The photos show another thing than the description. Please write to us when you have changed them.';
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'server', 'commands', 'listing.ts'), 'take-down', slug, '--reason', reason],
    { env: { ...process.env, DATA_DIR: quad.dataDir }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The listing was not taken down: ${stderr}`);
};

/** Listings of the demo account: one to show, and one that was taken down. */
interface OwnListings {
  shown: { id: string; slug: string };
  takenDown: { id: string; slug: string };
}

/** Returns all screens of the demo campus, including states that need a click or a lost connection. */
const listScreens = (slug: string, { shown, takenDown }: OwnListings): Screen[] => [
  { name: 'home', path: '/' },
  { name: 'category', path: '/category/game-day' },
  { name: 'category-generic', path: '/category/textbooks' },
  { name: 'category-empty', path: '/category/nothing-here' },
  { name: 'category-filters', path: '/category/merchandise', prepare: unfoldFilters },
  { name: 'category-filtered-empty', path: '/category/game-day?kind=parking-passes&price=100-' },
  { name: 'category-offline', path: '/category/rentals', prepare: goOffline },
  { name: 'listing', path: `/listing/${slug}` },
  {
    name: 'sign-in-required',
    path: `/listing/${slug}`,
    prepare: openDialogBy('Message Seller'),
  },
  { name: 'gallery', path: `/listing/${slug}`, prepare: openDialogBy('View photos full screen') },
  { name: 'report-dialog', path: `/listing/${slug}`, prepare: openDialogBy('Report Listing') },
  {
    name: 'message-dialog',
    path: `/listing/${slug}?message=1`,
    signedIn: true,
    prepare: (page) => page.getByPlaceholder('Type your message...').waitFor(),
  },
  { name: 'listing-missing', path: '/listing/no-such-listing' },
  { name: 'search', path: '/search?q=desk' },
  { name: 'search-empty', path: '/search?q=unicorn' },
  { name: 'search-suggestions', path: '/search', prepare: showSuggestions },
  { name: 'log-in', path: '/login' },
  { name: 'sign-up', path: '/signup' },
  {
    name: 'sign-up-errors',
    path: '/signup',
    prepare: (page) => page.getByRole('button', { name: 'Create Account' }).click(),
  },
  { name: 'forgot-password', path: '/forgot-password' },
  { name: 'reset-password', path: '/reset-password/some-token' },
  { name: 'profile', path: '/profile', signedIn: true },
  { name: 'profile-settings', path: '/profile?tab=settings', signedIn: true },
  { name: 'profile-rentals', path: '/profile?tab=rentals', signedIn: true },
  { name: 'profile-history', path: '/profile?tab=history', signedIn: true },
  { name: 'profile-loading', path: '/profile', signedIn: true, prepare: showSkeleton },
  {
    name: 'delete-account',
    path: '/profile?tab=settings',
    signedIn: true,
    prepare: openDialogBy(/^Delete Account/),
  },
  { name: 'account-menu', path: '/', signedIn: true, prepare: openMenu },
  { name: 'profile-edit', path: '/profile/edit', signedIn: true },
  { name: 'profile-setup', path: '/profile-setup', signedIn: true },
  { name: 'post-ad', path: '/post-ad', signedIn: true },
  { name: 'post-ad-errors', path: '/post-ad', signedIn: true, prepare: showPostErrors },
  { name: 'post-ad-photos', path: '/post-ad', signedIn: true, prepare: addPhotos },
  { name: 'my-listings', path: '/my-listings', signedIn: true },
  { name: 'my-listings-drafts', path: '/my-listings', signedIn: true, prepare: openTab(/^Sold/) },
  { name: 'listing-own', path: `/listing/${shown.slug}`, signedIn: true },
  { name: 'taken-down-listing', path: `/listing/${takenDown.slug}`, signedIn: true },
  { name: 'taken-down-edit', path: `/post-ad?edit=${takenDown.id}`, signedIn: true },
  {
    name: 'taken-down-refused',
    path: `/post-ad?edit=${takenDown.id}`,
    signedIn: true,
    prepare: publishTakenDownListing,
  },
  { name: 'my-listings-empty', path: '/my-listings', signedIn: true, prepare: openTab(/^Rented/) },
  { name: 'my-listings-loading', path: '/my-listings', signedIn: true, prepare: showSkeleton },
  { name: 'my-listings-menu', path: '/my-listings', signedIn: true, prepare: openRowMenu },
  { name: 'my-listings-delete', path: '/my-listings', signedIn: true, prepare: askToDelete },
  { name: 'messages', path: '/messages', signedIn: true },
  { name: 'messages-thread', path: '/messages', signedIn: true, prepare: openFirstThread },
  { name: 'messages-waiting', path: '/messages', signedIn: true, prepare: sendMessagesOffline },
  { name: 'messages-unknown', path: '/messages?c=unknown', signedIn: true },
  { name: 'messages-empty', path: '/messages', signedIn: true, prepare: showEmptyInbox },
  ...['safety', 'guidelines', 'how-it-works', 'contact', 'about', 'careers', 'terms', 'privacy'].map(
    (name) => ({ name, path: `/${name}` }),
  ),
  { name: 'application', path: '/careers', prepare: openDialogBy(/^Apply Now/) },
  { name: 'not-found', path: '/no/such/page' },
];

/** Prepares the demo campus; returns its screens, and the session to use for those with `signedIn`. */
export const prepareScreens = async (quad: Quad): Promise<{ session: string; screens: Screen[] }> => {
  const session = await logIn(quad);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?category=furniture`)).json();
  const own = await fetch(`${quad.url}/rest/v1/me/listings?status=published`, {
    headers: { authorization: `Bearer ${JSON.parse(session).access_token}` },
  });
  const [shown, , takenDown] = (await own.json()).items;
  takeDownListing(quad, takenDown.slug);
  return { session, screens: listScreens(items[1].slug, { shown, takenDown }) };
};
