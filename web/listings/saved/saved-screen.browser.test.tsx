import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { calls } from '#contract/calls.ts';
import type { SavedListing } from '#contract/saved-listings.ts';
import { createTestApi, networkFailure } from '#web/testing/api.ts';
import { getRecorded } from '#web/testing/recorded.ts';
import { openScreen } from '#web/testing/screen.tsx';
import { signIn, signOut } from '#web/testing/session.ts';
import { FavoriteHeart } from '../favorite-heart.tsx';
import { SavedScreen } from './saved-screen.tsx';

const api = createTestApi();
const { id: ownId } = getRecorded('getMe');
const { items: recorded } = getRecorded('listSavedListings');
const [lamp, desk] = getRecorded('listListings').items.filter(({ user_id }) => user_id !== ownId);
if (!lamp || !desk) throw new Error('The demo campus has too few listings');

const getHeart = (title: string) => page.getByRole('button', { name: `Favorite: ${title}` });
const openHearts = () =>
  openScreen('/', {
    '/': () => [lamp, desk].map((listing) => <FavoriteHeart key={listing.id} listing={listing} />),
  });

test('the list of saved listings says what changed since saving, and can clear unavailable ones', async () => {
  signIn();
  const [first, second, third] = recorded as [SavedListing, SavedListing, SavedListing];
  const cheaper: SavedListing = {
    ...first,
    saved_price: (first.listing?.price ?? 0) + 25,
    unavailable: 'away',
  };
  let items: SavedListing[] = [
    cheaper,
    { ...second, status: 'sold' },
    { ...third, status: 'unavailable', listing: null, saved_title: 'Corner desk for two' },
    {
      ...third,
      listing_id: '8f14e45f-ceea-467f-a8d7-5b1f2f0f8a51',
      status: 'unavailable',
      unavailable: 'passed',
      listing: null,
      saved_title: 'Two seats for the derby',
    },
  ];
  api.answer(calls.listSavedIds, getRecorded('listSavedIds'));
  api.answer(calls.listSavedListings, () => ({
    items,
    next_cursor: null,
    total: items.length,
    unavailable_total: items.length - 1,
  }));
  api.answer(calls.removeUnavailableListings, () => {
    items = [cheaper];
    return { success: true as const };
  });
  await openScreen('/', { '/': () => <SavedScreen ownId={ownId} /> });
  const cards = page.getByRole('listitem');
  await expect.element(cards.first().getByText(`was $${cheaper.saved_price}`)).toBeVisible();
  await expect.element(cards.first().getByText('Away', { exact: true })).toBeVisible();
  await expect.element(cards.nth(1).getByText('Sold', { exact: true })).toBeVisible();
  await expect.element(cards.nth(2).getByText('No longer available')).toBeVisible();
  await expect.element(cards.nth(2).getByText('Corner desk for two')).toBeVisible();
  await expect.element(cards.nth(3).getByText('This game has passed')).toBeVisible();
  await page.getByRole('button', { name: 'Clear 3 unavailable listings' }).click();
  await expect.poll(() => cards.elements().length).toBe(1);
  await expect.element(page.getByRole('button', { name: /^Clear/ })).not.toBeInTheDocument();
});

test('a heart returns to its earlier state and shows an error when saving fails', async () => {
  signIn();
  api.answer(calls.listSavedIds, { listing_ids: [] });
  api.answer(calls.saveListing, () => {
    throw networkFailure();
  });
  await openHearts();
  const heart = getHeart(lamp.title);
  await heart.click();
  await expect.element(page.getByText('Failed to save listing')).toBeVisible();
  await expect.element(heart).toHaveAttribute('aria-pressed', 'false');
  api.answer(calls.saveListing, { success: true });
  (heart.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(heart).toHaveAttribute('aria-pressed', 'true');
});

test('hearts that visitors tap in quick succession are saved in this order', async () => {
  signOut();
  await openHearts();
  for (const { title } of [lamp, desk]) {
    (getHeart(title).element() as HTMLElement).click();
    await expect.element(getHeart(title)).toHaveAttribute('aria-pressed', 'true');
  }
  await expect
    .poll(() => JSON.parse(localStorage.getItem('quad.saved-listings') ?? '[]'))
    .toEqual([desk.id, lamp.id]);
});
