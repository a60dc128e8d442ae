import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { OwnListing } from '#contract/listings.ts';
import { applyPriceChange, describeRefusals, findBulkObstacle } from './use-bulk-actions.ts';

test.each([
  [45, { percent: 10 }, 41],
  [45.5, { percent: 10 }, 40.95],
  [1, { percent: 50 }, 1],
  [0.01, { percent: 50 }, 0.01],
  [45, { price: 7.5 }, 7.5],
])('a price of %d with %o becomes %d', (price, change, changed) => {
  expect(applyPriceChange(price, change, defaultCampus)).toBe(changed);
});

const listing = { status: 'published', category: 'furniture', price: 5, open_deals: 0 } as OwnListing;

test.each([
  [{ kind: 'sell' }, {}, undefined],
  [{ kind: 'sell' }, { open_deals: 1 }, 'has an offer or a hold'],
  [{ kind: 'sell' }, { category: 'rentals' }, 'is for rent'],
  [{ kind: 'sell' }, { status: 'draft' }, 'is not for sale'],
  [{ kind: 'sell' }, { status: 'draft', ended_at: '2026-11-22T08:00:00Z' }, undefined],
  [{ kind: 'sell' }, { status: 'sold' }, 'is sold'],
  [{ kind: 'draft' }, { status: 'draft' }, 'is a draft'],
  [{ kind: 'draft' }, { status: 'in_review' }, undefined],
  [{ kind: 'delete' }, { status: 'sold' }, undefined],
  [{ kind: 'delete' }, { open_deals: 2 }, 'has an offer or a hold'],
  [{ kind: 'price', change: { percent: 10 } }, { open_deals: 1 }, undefined],
  [{ kind: 'price', change: { percent: 10 } }, { category: 'free', price: 0 }, 'is free'],
  [{ kind: 'price', change: { percent: 10 } }, { price: null }, 'has no price yet'],
  [{ kind: 'price', change: { price: 3 } }, { price: null }, undefined],
] as [Parameters<typeof findBulkObstacle>[1], Partial<OwnListing>, string | undefined][])(
  '%o of a listing with %o: %s',
  (action, change, obstacle) => {
    expect(findBulkObstacle({ ...listing, ...change }, action)).toBe(obstacle);
  },
);

test('names at most three listings that stayed as they were', () => {
  const refused = ['A', 'B', 'C', 'D'].map((title) => ({
    listing: { ...listing, title },
    reason: 'is sold',
  }));
  expect(describeRefusals([])).toBeUndefined();
  expect(describeRefusals(refused)?.replace(/[\u2066-\u2069]/g, '')).toBe(
    'Not changed: “A” (is sold), “B” (is sold), “C” (is sold) and 1 more',
  );
});
