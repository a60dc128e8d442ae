import { describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { OwnListing } from '#contract/listings.ts';
import { describeOwnListing, getOwnListingNote, getOwnListingState } from './own-listing-state.ts';

// A Saturday, 4 PM on campus.
const now = new Date('2026-11-29T00:00:00Z');
const time = { today: '2026-11-28', now, campus: defaultCampus };
const listing = {
  status: 'published',
  category: 'furniture',
  is_on_hold: false,
  rented_until: null,
  rental: null,
  hold: null,
  waiting_offers: 0,
  save_count: 0,
  hidden_reason: null,
  sold_to_name: null,
  sold_at: null,
  sale_confirmed_at: null,
  published_at: '2026-11-25T20:00:00Z',
} as unknown as OwnListing;
const hold = { name: 'Jordan', until: '2026-12-01T20:00:00Z', meets_at: null, is_handed_over: false };
const rental = { first_day: '2026-11-29', last_day: '2026-12-02', is_out: true };
const plain = (text: string) => text.replace(/[\u2066-\u2069]/g, '');

describe('the row of an own listing says what matters', () => {
  test.each([
    ['3 d ago', {}],
    ['1 offer · 3 saved', { waiting_offers: 1, save_count: 3 }],
    ['Confirmed available 2 days ago', { confirmed_at: '2026-11-26T20:00:00Z' }],
    ['3 saved · Confirmed available today', { save_count: 3, confirmed_at: '2026-11-28T20:00:00Z' }],
    ['3 d ago', { confirmed_at: '2026-11-14T20:00:00Z' }],
    ['On hold for Jordan until Tue', { is_on_hold: true, hold }],
    [
      'On hold for Jordan until today · 2 offers',
      { is_on_hold: true, waiting_offers: 2, hold: { ...hold, until: '2026-11-29T04:00:00Z' } },
    ],
    [
      'On hold for Jordan until Dec 12',
      { is_on_hold: true, hold: { ...hold, until: '2026-12-12T20:00:00Z' } },
    ],
    [
      'Meet Sun 12 PM · On hold for Jordan · 1 saved',
      { is_on_hold: true, save_count: 1, hold: { ...hold, meets_at: '2026-11-29T20:00:00Z' } },
    ],
    [
      'Meet today 6:15 PM · On hold for Jordan',
      { is_on_hold: true, hold: { ...hold, meets_at: '2026-11-29T02:15:00Z' } },
    ],
    ['Handed over, not confirmed yet', { is_on_hold: true, hold: { ...hold, is_handed_over: true } }],
    // A server before 0.9 does not say who has it on hold.
    ['On hold', { is_on_hold: true, hold: undefined }],
    ['Out Nov 29 – Dec 2', { category: 'rentals', rental }],
    ['Out, due back Nov 27', { category: 'rentals', rental: { ...rental, last_day: '2026-11-27' } }],
    ['Booked Nov 29 – Dec 2', { category: 'rentals', rental: { ...rental, is_out: false } }],
    ['Rented until Dec 5', { category: 'rentals', rented_until: '2026-12-05' }],
    ['Rented', { category: 'rentals', status: 'sold' }],
    ['Sold', { status: 'sold' }],
    ['Given away', { status: 'sold', category: 'free' }],
    [
      'Sold · To Bea',
      {
        status: 'sold',
        sold_to_name: 'Bea',
        sold_at: '2026-11-20T20:00:00Z',
        sale_confirmed_at: '2026-11-21T20:00:00Z',
      },
    ],
    // A buyer can confirm for two weeks.
    [
      'Sold · To Bea, not confirmed yet',
      { status: 'sold', sold_to_name: 'Bea', sold_at: '2026-11-15T00:00:01Z' },
    ],
    ['Sold', { status: 'sold', sold_to_name: 'Bea', sold_at: '2026-11-15T00:00:00Z' }],
    ['Draft · 2 saved', { status: 'draft', save_count: 2 }],
    ['Game passed · 2 saved', { status: 'draft', ended_at: '2026-11-22T08:00:00Z', save_count: 2 }],
    ['Paused', { status: 'draft', paused_at: '2026-11-20T20:00:00Z' }],
    ['In review', { status: 'in_review' }],
    ['Taken down', { status: 'draft', hidden_reason: 'Counterfeit' }],
  ] as [string, Partial<OwnListing>][])('%s', (text, change) => {
    expect(plain(describeOwnListing({ ...listing, ...change }, time).join(' · '))).toBe(text);
  });
});

test('a listing of a former member says why nobody sees it, unless it was taken down', () => {
  const hidden = { ...listing, awaits_membership: true };
  expect(getOwnListingState(hidden, time.today, defaultCampus).label).toBe('Hidden');
  expect(getOwnListingNote(hidden)).toBe('Hidden until your membership is confirmed.');
  const takenDown = { ...hidden, hidden_reason: 'Weapons' };
  expect(getOwnListingState(takenDown, time.today, defaultCampus).label).toBe('Taken down');
  expect(getOwnListingNote(takenDown)).toContain('Weapons');
});
