import { describe, expect, test } from 'vitest';
import type { OwnListingPage } from '#contract/listing-queries.ts';
import type { OwnListing } from '#contract/listings.ts';
import {
  flattenOwnListings,
  type OwnListingPages,
  updateListingPages,
  withoutListing,
  withRestoredListing,
  withUpdatedListing,
} from './own-listings.ts';

const createListing = (id: string, status: OwnListing['status']): OwnListing => ({
  id,
  slug: id,
  user_id: 'me',
  title: id,
  description: null,
  price: null,
  category: null,
  condition: null,
  location: null,
  status,
  game_date: null,
  contact_email: null,
  contact_phone: null,
  photos: [],
  images: [],
  rental_period: 'flexible',
  is_on_hold: false,
  rented_until: null,
  rental: null,
  open_deals: 0,
  waiting_offers: 0,
  hold: null,
  save_count: 0,
  hold_hours: 48,
  is_price_firm: false,
  gift_mode: 'first_come',
  draw_hours: 24,
  draw_closes_at: null,
  sold_at: null,
  sold_to: null,
  sold_to_name: null,
  sale_confirmed_at: null,
  hidden_reason: null,
  requested_changes: null,
  ended_at: null,
  paused_at: null,
  published_at: null,
  tended_at: null,
  confirmed_at: null,
  asked_at: null,
  created_at: `2026-03-0${id}T10:00:00.000Z`,
  updated_at: '2026-03-09T10:00:00.000Z',
});
const today = '2026-03-09';
const noCounts = { active: 0, on_hold: 0, sold: 0, rented: 0, drafts: 0 };
const threeListings = [
  createListing('3', 'published'),
  createListing('2', 'draft'),
  createListing('1', 'published'),
];
// `counts` includes listings on other pages, so it exceeds the number of `items`.
const ownListings: OwnListingPage = {
  items: threeListings,
  counts: { ...noCounts, active: 12, drafts: 1 },
  next_cursor: null,
};
const toListingIds = (listings: OwnListingPage) => listings.items.map(({ id }) => id);

test('changing the status of a listing updates the counts of the old and the new status', () => {
  const changed = withUpdatedListing(ownListings, createListing('3', 'draft'), today);
  expect(changed.counts).toEqual({ ...noCounts, active: 11, drafts: 2 });
  expect(toListingIds(changed)).toEqual(['3', '2', '1']);
});

test('a changed listing keeps the offers and saves that arrived while it was being changed', () => {
  const [listing, ...others] = threeListings as [OwnListing, ...OwnListing[]];
  const refreshed = { ...ownListings, items: [{ ...listing, open_deals: 1, save_count: 2 }, ...others] };
  const changed = withUpdatedListing(refreshed, createListing('3', 'draft'), today);
  expect(changed.items[0]).toMatchObject({ status: 'draft', open_deals: 1, save_count: 2 });
});

test('a deleted listing is removed from list and count, and returns to its position if deleting fails', () => {
  const removed = withoutListing(ownListings, '2', today);
  expect(removed.counts).toEqual({ ...noCounts, active: 12, drafts: 0 });
  expect(toListingIds(removed)).toEqual(['3', '1']);
  expect(withRestoredListing(removed, createListing('2', 'draft'), today)).toEqual(ownListings);
});

test('restoring the earlier version of a changed listing restores its status', () => {
  expect(
    withRestoredListing(
      withUpdatedListing(ownListings, createListing('3', 'draft'), today),
      createListing('3', 'published'),
      today,
    ),
  ).toEqual(ownListings);
});

describe('pages', () => {
  const pages: OwnListingPages = {
    pages: [
      {
        ...ownListings,
        items: [createListing('5', 'draft'), createListing('4', 'published')],
        next_cursor: 'second',
      },
      { ...ownListings, next_cursor: 'third' },
    ],
    pageParams: [undefined, 'second'],
  };

  test('form one list with the latest counts and the cursor of the last page', () => {
    const all = flattenOwnListings(pages);
    expect(toListingIds(all)).toEqual(['5', '4', '3', '2', '1']);
    expect(all.counts).toEqual(ownListings.counts);
    expect(all.next_cursor).toBe('third');
  });

  test('keep their number and cursor when a listing is deleted, restored and changed', () => {
    const removed = updateListingPages(pages, (all) => withoutListing(all, '2', today));
    expect(removed.pages.map(({ items }) => items.map(({ id }) => id))).toEqual([
      ['5', '4'],
      ['3', '1'],
    ]);
    expect(flattenOwnListings(removed).counts).toEqual({ ...noCounts, active: 12, drafts: 0 });
    const back = updateListingPages(removed, (all) =>
      withRestoredListing(all, createListing('2', 'draft'), today),
    );
    expect(flattenOwnListings(back)).toEqual(flattenOwnListings(pages));
    const changed = updateListingPages(back, (all) =>
      withUpdatedListing(all, createListing('1', 'draft'), today),
    );
    expect(flattenOwnListings(changed).counts).toEqual({ ...noCounts, active: 11, drafts: 2 });
  });
});
