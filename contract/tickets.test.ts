import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { findHighestTicketPrice, findTicketPriceProblem, isTicketListing } from './tickets.ts';

test.each([
  [100, 'USD', 50, 50],
  [110, 'USD', 50, 55],
  [110, 'USD', 45.55, 50.1],
  [133, 'USD', 0.75, 0.99],
  [110, 'JPY', 4555, 5010],
  [110, 'KWD', 4.125, 4.537],
  [undefined, 'USD', 50, undefined],
] as const)(
  'a cap of %s%% in %s allows tickets of %s to cost at most %s',
  (ticketPriceCap, currency, face, highest) => {
    expect(findHighestTicketPrice({ ...defaultCampus, currency, ticketPriceCap }, face)).toBe(highest);
  },
);

test('promise 117: the highest price is never above the cap, and the next cent is', () => {
  const cents = fc.integer({ min: 1, max: 10_000_000 });
  fc.assert(
    fc.property(cents, fc.integer({ min: 1, max: 999 }), (faceCents, percentage) => {
      const highest =
        findHighestTicketPrice({ ...defaultCampus, ticketPriceCap: percentage }, faceCents / 100) ?? 0;
      const highestCents = BigInt(Math.round(highest * 100));
      const exact = BigInt(faceCents) * BigInt(percentage);
      expect(highestCents * 100n <= exact && (highestCents + 1n) * 100n > exact).toBe(true);
    }),
  );
});

describe('a Game Day listing', () => {
  const listing = { category: 'game-day', title: 'Folding chairs for the tailgate', price: 900 };
  test.each([
    ['with a number of tickets', { ticket_count: 2 }, true],
    ['with a face value', { face_value: 40 }, true],
    ['with a seat', { title: 'Derby against the Bears', seats: '7-8' }, true],
    ['with a section', { title: 'Derby against the Bears', section: '112' }, true],
    ['with a row', { title: 'Derby against the Bears', seat_row: 'B' }, true],
    ['that is sold singly', { title: 'Derby against the Bears', ticket_sale: 'singly' as const }, true],
    ['whose title says so', { title: '2 TICKETS for the derby' }, true],
    ['whose title says so in short', { title: 'Student tix, section 12' }, true],
    ['of gear', {}, false],
    ['of a parking pass', { title: 'Parking pass for lot 9' }, false],
    ['of a parking pass with a row', { title: 'Parking pass for lot 9', seat_row: 'B', seats: '14' }, false],
    ['of a place at a tailgate', { title: 'Tailgate on the lawn', section: 'North' }, false],
    ['of a parking pass with a face value', { title: 'Parking pass for lot 9', face_value: 40 }, true],
    ['of seats and parking', { title: 'Derby seats with a parking pass', seats: '7-8' }, true],
    ['of a ticket and parking', { title: 'Ticket with parking', seats: '7' }, true],
    ['of a parking ticket', { title: 'Parking ticket for the game' }, false],
    ['of another category', { category: 'other', title: 'Tickets' }, false],
  ])('%s offers tickets: %#', (_name, changes, expected) => {
    const campus = { ...defaultCampus, ticketPriceCap: 100 };
    expect(isTicketListing({ ...listing, ...changes })).toBe(expected);
    expect(findTicketPriceProblem(campus, { ...listing, ...changes }) !== undefined).toBe(expected);
    expect(findTicketPriceProblem(defaultCampus, { ...listing, ...changes })).toBeUndefined();
  });
});
