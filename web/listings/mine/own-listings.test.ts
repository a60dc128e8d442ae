import { describe, expect, test } from 'vitest';
import type { OwnListingPage } from '#contract/listing-queries.ts';
import type { OwnListing } from '#contract/listings.ts';
import {
  flattenOwnListings,
  type OwnListingPages,
  updatePages,
  withListing,
  withListingBack,
  withoutListing,
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
  hidden_reason: null,
  created_at: `2026-03-0${id}T10:00:00.000Z`,
  updated_at: '2026-03-09T10:00:00.000Z',
});
const threeListings = [
  createListing('3', 'published'),
  createListing('2', 'draft'),
  createListing('1', 'published'),
];
// More published listings exist than this page contains.
const own: OwnListingPage = { items: threeListings, counts: { published: 12, draft: 1 }, next_cursor: null };
const ids = (listings: OwnListingPage) => listings.items.map(({ id }) => id);

test('changing the status of a listing updates both counts', () => {
  const changed = withListing(own, createListing('3', 'draft'));
  expect(changed.counts).toEqual({ published: 11, draft: 2 });
  expect(ids(changed)).toEqual(['3', '2', '1']);
});

test('a deleted listing leaves list and count, and returns to its position when deleting fails', () => {
  const removed = withoutListing(own, '2');
  expect(removed.counts).toEqual({ published: 12, draft: 0 });
  expect(ids(removed)).toEqual(['3', '1']);
  expect(withListingBack(removed, createListing('2', 'draft'))).toEqual(own);
});

test('putting a changed listing back restores its status', () => {
  expect(
    withListingBack(withListing(own, createListing('3', 'draft')), createListing('3', 'published')),
  ).toEqual(own);
});

describe('pages', () => {
  const pages: OwnListingPages = {
    pages: [
      {
        ...own,
        items: [createListing('5', 'draft'), createListing('4', 'published')],
        next_cursor: 'second',
      },
      { ...own, next_cursor: 'third' },
    ],
    pageParams: [undefined, 'second'],
  };

  test('are one list with the latest counts and the end of the last page', () => {
    const all = flattenOwnListings(pages);
    expect(ids(all)).toEqual(['5', '4', '3', '2', '1']);
    expect(all.counts).toEqual(own.counts);
    expect(all.next_cursor).toBe('third');
  });

  test('keep their number and their end when a listing changes, is deleted and returns', () => {
    const removed = updatePages(pages, (all) => withoutListing(all, '2'));
    expect(removed.pages.map(({ items }) => items.map(({ id }) => id))).toEqual([
      ['5', '4'],
      ['3', '1'],
    ]);
    expect(flattenOwnListings(removed).counts).toEqual({ published: 12, draft: 0 });
    const back = updatePages(removed, (all) => withListingBack(all, createListing('2', 'draft')));
    expect(flattenOwnListings(back)).toEqual(flattenOwnListings(pages));
    const changed = updatePages(back, (all) => withListing(all, createListing('1', 'draft')));
    expect(flattenOwnListings(changed).counts).toEqual({ published: 11, draft: 2 });
  });
});
