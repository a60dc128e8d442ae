import type { Page } from '@playwright/test';
import { createPhotoOfCode } from './codes.ts';
import { createPhotoFile } from './photos.ts';
import { listProfileScreens, listSettingsScreens } from './profile-screens.ts';
import {
  createDialogOpener,
  createTabOpener,
  openListingMenu,
  type Screen,
  showLoadError,
  showSkeleton,
} from './screen.ts';
import { intercept } from './test.ts';
import { keepLaterToastsOpen } from './toasts.ts';

const showPostErrors = async (page: Page): Promise<void> => {
  await page.getByLabel('Title').fill('Short');
  await page.getByLabel('Category').selectOption('furniture');
  await page.getByRole('radio', { name: 'Good' }).check();
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

/** Shows the posting form with a book that was sold here and that somebody looks for. */
const fillInBook = async (page: Page): Promise<void> => {
  await page.getByLabel('Category').selectOption('textbooks');
  await page.getByLabel('ISBN').fill('978-0-262-03384-8');
  await page.getByRole('textbox', { name: 'Price' }).fill('45');
  await page.getByText(/^Sold here for/).waitFor();
  await page.getByText(/looking for this$/).waitFor();
};

/** Shows the posting form with a photo of a ticket that anyone could use. */
const addPhotoOfCode = async (page: Page): Promise<void> => {
  await page.getByLabel('Category').selectOption('game-day');
  await page.getByLabel('Title').fill('Two tickets for the derby');
  await page.getByLabel('Choose photos').setInputFiles([await createPhotoOfCode('TICKET 0042')]);
  await page.getByRole('button', { name: 'Blur the code' }).waitFor();
  await page.getByText('Photos', { exact: true }).scrollIntoViewIfNeeded();
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

/** Shows a screen of somebody who is away. */
const pretendAway = async (page: Page): Promise<void> => {
  const away_until = new Date(Date.now() + 16 * 24 * 3600 * 1000).toISOString().slice(0, 10);
  await intercept(page, '**/rest/v1/me', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), away_until } });
  });
  await page.reload();
  await page.getByRole('switch', { name: /^Away until/ }).waitFor();
};

/** Opens the dialog that asks until when the person is away. */
const openAwayDialog = async (page: Page): Promise<void> => {
  await page.getByRole('switch', { name: /^Away/ }).click();
  await page.getByRole('dialog').getByRole('region', { name: 'What stays as it is' }).waitFor();
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
  await keepLaterToastsOpen(page);
  await openListingMenu(page);
  await page
    .getByRole('menuitem', { name: 'Delete' })
    .or(page.getByRole('button', { name: /^Delete/ }))
    .first()
    .click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
};

/** Opens the dialog that asks the owner who got the item. */
const openSellDialog = async (page: Page): Promise<void> => {
  await openListingMenu(page);
  const name = /^((Sold|Given) to…|Mark as Rented)/;
  await page.getByRole('menuitem', { name }).or(page.getByRole('button', { name })).first().click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^To somebody else|^Mark as/ })
    .waitFor();
};

/**
 * Three listings of the first demo account: a published one, one that an administrator took down, and a sold
 * one.
 */
export interface DemoAccountListings {
  shown: { id: string; slug: string; user_id: string };
  takenDown: { id: string; slug: string };
}

const signedIn = true;

const listPostingScreens = ({ shown, takenDown }: DemoAccountListings): Screen[] => [
  {
    name: 'post-ad',
    path: '/post-ad',
    signedIn,
    ownContext: true,
    further: [{ name: 'post-ad-guidelines', prepare: showGuidelines }],
  },
  { name: 'post-ad-errors', path: '/post-ad', signedIn, prepare: showPostErrors, ownContext: true },
  { name: 'post-ad-continue', path: '/post-ad', signedIn, prepare: leaveListingUnfinished, ownContext: true },
  { name: 'post-ad-book', path: '/post-ad', signedIn, prepare: fillInBook, ownContext: true },
  { name: 'post-ad-code', path: '/post-ad', signedIn, prepare: addPhotoOfCode, ownContext: true },
  { name: 'post-wanted', path: '/post-ad?wanted', signedIn },
  {
    name: 'wanted-answer',
    path: '/category/furniture?tab=wanted',
    signedIn,
    prepare: createDialogOpener(/^I have this/),
  },
  { name: 'post-ad-photos', path: '/post-ad', signedIn, prepare: addPhotos, writes: true, ownContext: true },
  { name: 'listing-own', path: `/listing/${shown.slug}`, signedIn },
  { name: 'taken-down-listing', path: `/listing/${takenDown.slug}`, signedIn },
  {
    name: 'taken-down-edit',
    path: `/post-ad?edit=${takenDown.id}`,
    signedIn,
    further: [{ name: 'taken-down-refused', prepare: showTakenDownError, writes: true }],
  },
];

const listOwnListingScreens = (): Screen[] => [
  {
    name: 'my-listings',
    path: '/my-listings',
    signedIn,
    further: [{ name: 'my-listings-menu', prepare: openListingMenu, onlyAt: 360 }],
  },
  { name: 'my-listings-wanted', path: '/my-listings?tab=wanted', signedIn },
  { name: 'my-listings-sell', path: '/my-listings', signedIn, prepare: openSellDialog },
  {
    name: 'my-listings-deleted',
    path: '/my-listings',
    signedIn,
    prepare: simulateListingDeletion,
    writes: true,
  },
  {
    name: 'my-listings-drafts',
    path: '/my-listings?tab=drafts',
    signedIn,
    further: [{ name: 'my-listings-empty', prepare: createTabOpener(/^Rented/) }],
  },
  { name: 'my-listings-review', path: '/my-listings?tab=drafts', signedIn, prepare: showReviewedListings },
  { name: 'my-listings-away', path: '/my-listings', signedIn, prepare: pretendAway },
  { name: 'away-dialog', path: '/my-listings', signedIn, prepare: openAwayDialog },
  { name: 'my-listings-sold', path: '/my-listings?tab=sold', signedIn },
  {
    name: 'my-listings-loading',
    path: '/my-listings',
    signedIn,
    prepare: showSkeleton,
    screenshotOnly: true,
  },
  {
    name: 'my-listings-failed',
    path: '/my-listings',
    signedIn,
    prepare: showLoadError,
    screenshotOnly: true,
  },
];

/** Returns the screens with what the signed-in person has saved and is told, and public screens as they see them. */
const listSavedScreens = ({ shown }: DemoAccountListings): Screen[] => [
  { name: 'account-menu', path: '/', signedIn, prepare: openAccountMenu, onlyAt: 1280 },
  { name: 'user-own', path: `/users/${shown.user_id}`, signedIn },
  {
    name: 'saved',
    path: '/saved',
    signedIn,
    further: [{ name: 'saved-searches', prepare: createTabOpener(/searches/i) }],
  },
  {
    // Opening them records the visit, which only the person sees.
    name: 'saved-search-results',
    path: '/category/game-day?kind=tickets',
    signedIn,
    writes: true,
    prepare: (page) => page.getByRole('button', { name: 'Saved search' }).waitFor(),
    further: [{ name: 'edit-saved-search', prepare: createDialogOpener('Saved search'), writes: true }],
  },
  { name: 'notifications', path: '/notifications', signedIn },
  { name: 'decisions', path: '/decisions', signedIn },
];

/** Returns the screens of signed-in people, by area. */
export const listMemberScreens = (listings: DemoAccountListings) => ({
  'the profile': listProfileScreens(),
  settings: listSettingsScreens(),
  posting: listPostingScreens(listings),
  'own listings': listOwnListingScreens(),
  'saved items and notifications': listSavedScreens(listings),
});
