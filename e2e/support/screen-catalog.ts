import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import { listDealScreens } from './deal-screens.ts';
import { reloadUntilReady } from './hydration.ts';
import { createPhotoFile } from './photos.ts';
import { pushNotificationScreens } from './push-screens.ts';
import type { QuadServer } from './quad-server.ts';
import { listSafetyScreens } from './safety-screens.ts';
import { createDialogOpener, openListingMenu, type Screen } from './screen.ts';
import { logInToDemo } from './sign-in.ts';
import { intercept } from './test.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const openFirstThread = async (page: Page): Promise<void> => {
  await page.getByRole('region', { name: 'Conversations' }).getByRole('link').first().click();
  await page.getByRole('region', { name: /^Messages with/ }).waitFor();
};

/**
 * Shows a conversation in which both parties wrote texts that are typical of scams. Only received messages
 * must have safety tips.
 */
const showWarnings = async (page: Page): Promise<void> => {
  const text = 'Text me on WhatsApp, I only sell if you pay in advance: https://pay.example/desk';
  await intercept(page, '**/rest/v1/conversations/*/messages*', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    const { items, more } = await response.json();
    const last = items.slice(-3).map((item: object) => ({ ...item, kind: 'text', message_text: text }));
    await route.fulfill({ response, json: { items: [...items.slice(0, -3), ...last], more } });
  });
  await page.reload();
  await openFirstThread(page);
  await page.getByRole('note', { name: 'Safety tip' }).last().waitFor();
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
  await intercept(page, '**/rest/v1/conversations', (route) =>
    route.fulfill({ json: { items: [], next_cursor: null } }),
  );
  await page.goto('/messages');
  await page.getByText('No conversations yet').waitFor();
};

const showPostErrors = async (page: Page): Promise<void> => {
  await page.getByLabel('Title').fill('Short');
  await page.getByLabel('Category').selectOption('furniture');
  await page.getByLabel('Condition').selectOption('good');
  await page.getByRole('textbox', { name: 'Price' }).fill('-1');
  await page.getByLabel('Description').fill('Too short');
  await page.getByLabel('Location').fill('Parkside');
  await page.getByLabel('Contact phone').fill('12');
  await page.getByRole('button', { name: 'Post Ad' }).click();
  await page.getByText('Validation failed').waitFor();
};

const leaveListingUnfinished = async (page: Page): Promise<void> => {
  await page.getByLabel('Title').fill('Oak desk with two drawers');
  await page.reload();
  await page.getByRole('button', { name: 'Continue' }).waitFor();
};

const showTakenDownError = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Update Listing' }).click();
  await page.getByRole('alert').getByText('This listing was taken down').waitFor();
};

/** Shows the posting form with the guidelines for a listing that mentions prohibited items. */
const showGuidelines = async (page: Page): Promise<void> => {
  await page.getByLabel('Title').fill('Hamster with cage and a bottle of wine');
  await page.getByText('From the guidelines').waitFor();
  await page.getByText('From the guidelines').scrollIntoViewIfNeeded();
};

/** Shows My Listings with a listing that a moderator is reviewing, and a listing with requested changes. */
const showReviewedListings = async (page: Page): Promise<void> => {
  await intercept(page, '**/rest/v1/me/listings?*', async (route) => {
    const response = await route.fetch();
    const own = await response.json();
    const requested_changes = 'Please say whether the bottle is empty.';
    const [first, second] = own.items;
    const items = [
      { ...first, status: 'in_review' },
      { ...second, status: 'draft', requested_changes },
    ];
    await route.fulfill({ response, json: { ...own, items } });
  });
  await page.reload();
  await page.getByText('In review').first().waitFor();
};

const addPhotos = async (page: Page): Promise<void> => {
  await page
    .getByLabel('Choose photos')
    .setInputFiles([
      await createPhotoFile('red.jpg', { r: 200, g: 90, b: 60 }),
      await createPhotoFile('blue.jpg', { r: 60, g: 90, b: 200 }),
      { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo at all') },
    ]);
  await page.getByText('Failed to upload image').first().waitFor();
  await page.getByRole('progressbar').first().waitFor({ state: 'detached' });
  await page.getByText('Photos', { exact: true }).scrollIntoViewIfNeeded();
};

const getSearchBox = (page: Page) => page.getByRole('combobox', { name: 'Search' }).filter({ visible: true });

const showSuggestions = async (page: Page): Promise<void> => {
  await getSearchBox(page).first().pressSequentially('desk');
  await page.getByRole('option').nth(1).waitFor();
  await page.keyboard.press('ArrowDown');
};

/** Opens the account menu; does nothing in narrow windows, which have no account menu. */
const openAccountMenu = async (page: Page): Promise<void> => {
  if ((page.viewportSize()?.width ?? 0) < 768) return;
  await page.getByRole('button', { name: /^Account menu/ }).click();
  await page.getByRole('menu').waitFor();
};

/** Shows My Listings after the deletion of a listing, without deleting it on the server. */
const simulateListingDeletion = async (page: Page): Promise<void> => {
  await intercept(page, '**/rest/v1/me/listings/*', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ json: { success: true } }) : route.fallback(),
  );
  await openListingMenu(page);
  await page
    .getByRole('menuitem', { name: 'Delete' })
    .or(page.getByRole('button', { name: /^Delete/ }))
    .first()
    .click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
};

/**
 * Returns a `prepare` function that shows the settings of an account whose log-in address is not a campus
 * address. Depending on the parameter, a campus address is missing, has been added, or has been verified.
 */
const pretendCampusAddress = (state: 'none' | 'added' | 'verified') => async (page: Page) => {
  const requested_at = '2026-03-02T10:00:00.000Z';
  const verified_at = state === 'verified' ? requested_at : null;
  const campus_address =
    state === 'none' ? null : { email: 'casey.stone@usc.edu', requested_at, verified_at };
  const change = { email: 'casey.stone@example.com', usc_verified: verified_at !== null, campus_address };
  await intercept(page, '**/rest/v1/me', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...change } });
  });
  await reloadUntilReady(page);
  const section = page.getByRole('region', { name: 'Campus address' });
  await section.getByRole('button').first().waitFor();
  await section.evaluate((it) => it.scrollIntoView({ block: 'center' }));
};

const createTabOpener = (name: RegExp) => (page: Page) => page.getByRole('tab', { name }).click();

/**
 * Reloads the page and blocks its API calls, so that the page keeps showing its loading skeleton.
 */
const showSkeleton = async (page: Page): Promise<void> => {
  await intercept(page, '**/rest/v1/**', () => new Promise(() => {}));
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page
    .getByRole('main')
    .getByText(/^Loading/)
    .first()
    .waitFor({ state: 'attached' });
};

/** Reloads the page while the API fails, so that the page shows its error and a retry button. */
const showLoadError = async (page: Page): Promise<void> => {
  await intercept(page, /\/rest\/v1\/(me\/listings|conversations)/, (route) =>
    route.fulfill({ status: 503, json: {} }),
  );
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page.getByRole('main').getByRole('button', { name: 'Try again' }).first().waitFor();
};

const goOffline = async (page: Page): Promise<void> => {
  await page.locator('body > div > [role=status]:only-child').waitFor({ state: 'attached' });
  await page.context().setOffline(true);
  await page.getByText('You are offline.').waitFor();
};

const expandFilters = async (page: Page): Promise<void> => {
  const summary = page.getByText('Filters', { exact: true });
  if (!(await summary.isVisible())) return;
  await summary.click();
  await page.getByRole('dialog').waitFor();
};

/** Opens the dialog that asks the owner who got the item. */
const openSellDialog = async (page: Page): Promise<void> => {
  await openListingMenu(page);
  const name = /^Mark as (Sold|Given|Rented)/;
  await page.getByRole('menuitem', { name }).or(page.getByRole('button', { name })).first().click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^To somebody else|^Mark as/ })
    .waitFor();
};

/** Takes a listing down with the administrators' command. */
const takeDownListing = (quad: QuadServer, slug: string): void => {
  const reason =
    'The photos show another thing than the description. Please write to us when you have changed them.';
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, 'server', 'commands', 'listing.ts'), 'take-down', slug, '--reason', reason],
    { env: { ...process.env, DATA_DIR: quad.dataDir }, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`The listing was not taken down: ${stderr}`);
};

/**
 * Three listings of the first demo account: a published one, one that an administrator took down, and a sold
 * one.
 */
interface DemoAccountListings {
  shown: { id: string; slug: string; user_id: string };
  takenDown: { id: string; slug: string };
  sold: { slug: string };
}

/** Returns all screens of the demo campus, including those that need a click or a lost connection. */
const listScreens = (
  slug: string,
  seller: string,
  { shown, takenDown, sold }: DemoAccountListings,
): Screen[] => [
  { name: 'home', path: '/' },
  { name: 'home-returning', path: '/', prepare: (page) => reloadUntilReady(page) },
  { name: 'browse', path: '/browse' },
  { name: 'category', path: '/category/game-day' },
  { name: 'category-generic', path: '/category/textbooks' },
  { name: 'category-empty', path: '/category/nothing-here' },
  { name: 'category-filters', path: '/category/merchandise', prepare: expandFilters },
  { name: 'category-filtered-empty', path: '/category/game-day?kind=parking-passes&price=100-' },
  { name: 'category-offline', path: '/category/rentals', prepare: goOffline },
  { name: 'listing', path: `/listing/${slug}` },
  {
    name: 'sign-in-required',
    path: `/listing/${slug}`,
    prepare: createDialogOpener('Message Seller'),
  },
  { name: 'gallery', path: `/listing/${slug}`, prepare: createDialogOpener('View photos full screen') },
  { name: 'report-dialog', path: `/listing/${slug}`, prepare: createDialogOpener('Report Listing') },
  {
    name: 'message-dialog',
    path: `/listing/${slug}?message=1`,
    signedIn: true,
    prepare: (page) => page.getByPlaceholder('Type your message...').waitFor(),
  },
  { name: 'listing-missing', path: '/listing/no-such-listing' },
  { name: 'user', path: `/users/${seller}` },
  { name: 'user-missing', path: '/users/nobody' },
  { name: 'search', path: '/search?q=desk' },
  { name: 'search-empty', path: '/search?q=unicorn' },
  { name: 'search-similar', path: '/search?q=desks' },
  { name: 'search-long-word', path: `/search?q=${'supercalifragilistic'.repeat(5)}` },
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
  { name: 'appeal', path: '/appeal/some-token' },
  { name: 'profile', path: '/profile', signedIn: true },
  { name: 'profile-settings', path: '/profile?tab=settings', signedIn: true },
  ...pushNotificationScreens,
  { name: 'profile-rentals', path: '/profile?tab=rentals', signedIn: true },
  { name: 'profile-history', path: '/profile?tab=history', signedIn: true },
  { name: 'profile-loading', path: '/profile', signedIn: true, prepare: showSkeleton },
  ...(['none', 'added', 'verified'] as const).map((state) => ({
    name: `campus-address-${state}`,
    path: '/profile?tab=settings',
    signedIn: true,
    prepare: pretendCampusAddress(state),
  })),
  {
    name: 'delete-account',
    path: '/profile?tab=settings',
    signedIn: true,
    prepare: createDialogOpener(/^Delete Account/),
  },
  { name: 'account-menu', path: '/', signedIn: true, prepare: openAccountMenu },
  { name: 'profile-edit', path: '/profile/edit', signedIn: true },
  { name: 'profile-setup', path: '/profile-setup', signedIn: true },
  { name: 'post-ad', path: '/post-ad', signedIn: true },
  { name: 'post-ad-errors', path: '/post-ad', signedIn: true, prepare: showPostErrors },
  { name: 'post-ad-continue', path: '/post-ad', signedIn: true, prepare: leaveListingUnfinished },
  { name: 'post-ad-photos', path: '/post-ad', signedIn: true, prepare: addPhotos },
  { name: 'post-ad-guidelines', path: '/post-ad', signedIn: true, prepare: showGuidelines },
  { name: 'my-listings', path: '/my-listings', signedIn: true },
  { name: 'saved', path: '/saved', signedIn: true },
  { name: 'notifications', path: '/notifications', signedIn: true },
  { name: 'decisions', path: '/decisions', signedIn: true },
  { name: 'saved-searches', path: '/saved?tab=searches', signedIn: true },
  {
    name: 'saved-search-results',
    path: '/category/game-day?kind=tickets',
    signedIn: true,
    prepare: (page) => page.getByRole('button', { name: 'Saved search' }).waitFor(),
  },
  {
    name: 'save-search',
    path: '/search?q=lamp&price=0-50',
    signedIn: true,
    prepare: createDialogOpener('Save this search'),
  },
  { name: 'my-listings-drafts', path: '/my-listings', signedIn: true, prepare: createTabOpener(/^Drafts/) },
  { name: 'user-own', path: `/users/${shown.user_id}`, signedIn: true },
  {
    name: 'my-listings-review',
    path: '/my-listings?tab=drafts',
    signedIn: true,
    prepare: showReviewedListings,
  },
  { name: 'my-listings-sold', path: '/my-listings?tab=sold', signedIn: true },
  { name: 'my-listings-sell', path: '/my-listings', signedIn: true, prepare: openSellDialog },
  { name: 'listing-sold', path: `/listing/${sold.slug}` },
  { name: 'listing-own', path: `/listing/${shown.slug}`, signedIn: true },
  { name: 'taken-down-listing', path: `/listing/${takenDown.slug}`, signedIn: true },
  { name: 'taken-down-edit', path: `/post-ad?edit=${takenDown.id}`, signedIn: true },
  {
    name: 'taken-down-refused',
    path: `/post-ad?edit=${takenDown.id}`,
    signedIn: true,
    prepare: showTakenDownError,
  },
  { name: 'my-listings-empty', path: '/my-listings', signedIn: true, prepare: createTabOpener(/^Rented/) },
  { name: 'my-listings-loading', path: '/my-listings', signedIn: true, prepare: showSkeleton },
  { name: 'my-listings-failed', path: '/my-listings', signedIn: true, prepare: showLoadError },
  { name: 'my-listings-menu', path: '/my-listings', signedIn: true, prepare: openListingMenu },
  { name: 'my-listings-deleted', path: '/my-listings', signedIn: true, prepare: simulateListingDeletion },
  { name: 'messages', path: '/messages', signedIn: true },
  { name: 'messages-thread', path: '/messages', signedIn: true, prepare: openFirstThread },
  { name: 'messages-waiting', path: '/messages', signedIn: true, prepare: sendMessagesOffline },
  { name: 'messages-warnings', path: '/messages', signedIn: true, prepare: showWarnings },
  { name: 'messages-loading', path: '/messages', signedIn: true, prepare: showSkeleton },
  { name: 'messages-failed', path: '/messages', signedIn: true, prepare: showLoadError },
  { name: 'messages-unknown', path: '/messages?c=unknown', signedIn: true },
  { name: 'messages-empty', path: '/messages', signedIn: true, prepare: showEmptyInbox },
  ...['safety', 'guidelines', 'how-it-works', 'contact', 'about', 'careers', 'terms', 'privacy'].map(
    (name) => ({ name, path: `/${name}` }),
  ),
  { name: 'application', path: '/careers', prepare: createDialogOpener(/^Apply Now/) },
  { name: 'not-found', path: '/no/such/page' },
];

/**
 * Prepares the demo campus; returns its screens, and the session for opening the screens that are marked
 * `signedIn`.
 */
export const prepareScreens = async (quad: QuadServer): Promise<{ session: string; screens: Screen[] }> => {
  const session = await logInToDemo(quad);
  const { items } = await (await fetch(`${quad.url}/rest/v1/listings?category=furniture`)).json();
  const rentals = await (await fetch(`${quad.url}/rest/v1/listings?category=rentals`)).json();
  // Choose a seller who has several reviews.
  const seller = rentals.items.find((it: { title: string }) =>
    it.title.startsWith('Electric scooter'),
  ).user_id;
  const listOwn = async (status: 'published' | 'sold') => {
    const answer = await fetch(`${quad.url}/rest/v1/me/listings?status=${status}`, {
      headers: { authorization: `Bearer ${JSON.parse(session).access_token}` },
    });
    return (await answer.json()).items;
  };
  const own = await listOwn('published');
  const [shown, takenDown] = [own[0], own.at(-1)];
  takeDownListing(quad, takenDown.slug);
  const [sold] = await listOwn('sold');
  const screens = [
    ...(await listDealScreens(quad, session)),
    ...listSafetyScreens(items[1].slug, items[1].user_id, seller),
    // These screens come last, because some of them leave messages waiting to be sent, which the next page
    // would send.
    ...listScreens(items[1].slug, seller, { shown, takenDown, sold }),
  ];
  return { session, screens };
};
