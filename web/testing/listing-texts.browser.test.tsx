import { beforeEach, expect, test } from 'vitest';
import { type Locator, page } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { listingFieldTexts, listingSavingTexts, ownListingTexts } from '#contract/specification-texts.ts';
import MyListings from '#web/routes/my-listings.tsx';
import PostAd from '#web/routes/post-ad.tsx';
import { createTestApi, refuse } from './api.ts';
import { getRecorded } from './recorded.ts';
import { openScreen } from './screen.tsx';
import { signIn } from './session.ts';
import { recordShownTexts } from './shown-texts.ts';

const api = createTestApi();
const listMissing = recordShownTexts();
beforeEach(signIn);

const own = getRecorded('getMyListing');
api.mayAnswer(calls.suggestCategory, { category: null });
api.answer(calls.listGames, getRecorded('listGames'));
api.mayAnswer(calls.countWantedMatches, { people: 0 });
api.mayAnswer(calls.findSalePrices, getRecorded('findSalePrices'));
api.answer(calls.getMe, getRecorded('getMe'));
const see = (text: string | RegExp) =>
  expect.element(page.getByText(text, { exact: false }).first()).toBeVisible();
const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const fillAll = async (values: [Locator, string][]) => {
  for (const [input, value] of values) await input.fill(value);
};
const refuseOnce = () => {
  throw refuse('internal');
};

/** Refuses to publish a listing with the messages about each of these fields. */
const refuseFields = (fields: Record<string, string>) => () => {
  throw refuse('listing_incomplete', { fields });
};

test('the listing form shows the message about each field', async () => {
  await openScreen('/post-ad', { '/post-ad': PostAd });
  const price = page.getByRole('textbox', { name: 'Price' });
  await page.getByRole('combobox', { name: 'Category' }).selectOptions('game-day');
  await page.getByRole('radio', { name: 'Good' }).click();
  await fillAll([
    [field('Title'), 'Kettle'],
    [price, '1.999'],
    [page.getByLabelText(/^Game date/), '2020-01-01'],
    [field('Description'), 'Short'],
    [field('Location'), 'x'.repeat(201)],
    [field('Contact email'), 'nobody'],
    [field('Contact phone'), 'call me'],
  ]);
  await press('Post Ad');
  await see('Validation failed');
  await see('Game date must be today or in the future');
  await fillAll([
    [field('Title'), 'x'.repeat(81)],
    [price, '0'],
    [page.getByLabelText(/^Game date/), toCampusDay(defaultCampus, new Date())],
    [field('Description'), 'x'.repeat(1001)],
    [field('Contact phone'), '12'],
  ]);
  await press('Post Ad');
  await see('Phone number must be at least 10 digits');
  await field('Title').fill('A kettle for long nights 🫖');
  await press('Post Ad');
  await see('Title cannot contain emojis');
});

test('the listing form says what happened to the listing', async () => {
  api.answer(calls.createListing, () => {
    throw refuse('internal', { error: '' });
  });
  await openScreen('/post-ad', { '/post-ad': PostAd });
  await field('Title').fill('Walnut desk lamp');
  await press('Save as Draft');
  await see('Failed to save listing. Please try again.');
  api.answer(calls.createListing, { listing: { ...own, status: 'draft' } });
  await press('Save as Draft');
  await see('Draft saved');
});

test('the listing form says that an edit was published, or that the listing could not be loaded', async () => {
  api.answer(calls.getMyListing, own);
  api.answer(calls.createListing, { listing: own });
  const { unmount } = await openScreen(`/post-ad?edit=${own.id}`, { '/post-ad': PostAd });
  await press('Update Listing');
  await see('Listing updated');
  await unmount();
  api.answer(calls.getMyListing, refuseOnce);
  await openScreen(`/post-ad?edit=${crypto.randomUUID()}`, { '/post-ad': PostAd });
  await see('Failed to load listing data');
});

test('My Listings says what happened to a listing, and what a draft lacks', async () => {
  await page.viewport(1280, 800);
  const recorded = getRecorded('listMyListings');
  const listing = { ...own, status: 'published' as const, open_deals: 0, title: 'Walnut desk lamp' };
  const draft = { ...listing, status: 'draft' as const };
  let shown = listing as typeof listing | typeof draft;
  const counts = { ...recorded.counts };
  api.answer(calls.listMyListings, () => ({ ...recorded, items: [shown], counts, next_cursor: null }));
  api.answer(calls.listDealsOfListing, { ...getRecorded('listDealsOfListing'), items: [] });
  const { unmount } = await openScreen('/my-listings', { '/my-listings': MyListings });
  api.answer(calls.setListingStatus, refuseOnce);
  await press(/^Mark as Draft/);
  await see('Failed to update listing');
  api.answer(calls.setListingStatus, () => (shown = draft));
  await press(/^Mark as Draft/);
  await see('Marked as draft');
  await see('No active listings');
  await page.getByRole('tab', { name: /^Drafts/ }).click();
  const lacking = [
    'Title must be at least 10 characters',
    'Please select a category',
    'Please select a condition',
    'Price is required',
    'Description must be at least 40 characters',
    'Location is required',
    'At least one contact method (email or phone) is required',
  ];
  api.answer(
    calls.setListingStatus,
    refuseFields(Object.fromEntries(lacking.map((text, index) => [`field${index}`, text]))),
  );
  await press(/^Publish Item/);
  for (const text of lacking) await see(text);
  api.answer(calls.setListingStatus, () => (shown = listing));
  await press(/^Publish Item/);
  await see('Marked as active');
  await see('No draft listings');
  await page.getByRole('tab', { name: /^Active/ }).click();
  api.answer(calls.deleteListing, refuseOnce);
  api.answer(calls.getMyListing, listing);
  await press(/^Delete/);
  await see('Failed to delete listing');
  api.answer(calls.deleteListing, { success: true });
  await press(/^Delete/);
  await see('Listing deleted');
  await unmount();
  api.answer(calls.listMyListings, refuseOnce);
  await openScreen('/my-listings', { '/my-listings': MyListings });
  await see('Failed to load your listings');
  await page.viewport(800, 600);
});

test('every text of the specification about posting and managing listings was shown', () => {
  expect(listMissing([...listingFieldTexts, ...listingSavingTexts, ...ownListingTexts])).toEqual([]);
});
