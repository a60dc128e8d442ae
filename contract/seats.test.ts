import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSharedSeatsFinder, listSeats, type SeatPlace } from './seats.ts';

const findSharedSeats = (one: SeatPlace, other: SeatPlace) => createSharedSeatsFinder(one)(other);

test.each([
  ['12-14', ['12', '13', '14']],
  ['12,13,14', ['12', '13', '14']],
  [' 12 – 14 ', ['12', '13', '14']],
  ['Seats 12 to 14', ['12', '13', '14']],
  ['seat 12, 13 and 14', ['12', '13', '14']],
  ['12 13 14', ['12', '13', '14']],
  ['012', ['12']],
  ['A7-A9', ['a7', 'a8', 'a9']],
  ['１２', ['12']],
  ['14-12', ['12', '13', '14']],
  ['12-90', Array.from({ length: 79 }, (_, index) => String(12 + index))],
  [' 12 a', ['12a']],
  ['12 A, 13 B', ['12a', '13b']],
  ['A 12, A 13', ['a12', 'a13']],
  ['A B', ['a', 'b']],
  ['12A-14A', ['12a', '13a', '14a']],
  ['A-12', ['a12']],
  ['12 thru 14', ['12', '13', '14']],
  ['Seats: 12, 13, and 14', ['12', '13', '14']],
  ['seat12', ['12']],
  ['١٢', ['12']],
  ['А12', ['a12']],
  ['1-9999', ['1-9999']],
  ['General admission', []],
  ['GA', []],
  [null, []],
])('reads the seats of %j as %j', (text, seats) => {
  expect(listSeats(text)).toEqual(seats);
});

test('promise 118: two texts for the same seats share all of them, however they are written', () => {
  const place = { section: '112', seat_row: 'B' };
  const write = [
    (first: number, last: number) => `${first}-${last}`,
    (first: number, last: number) => `Seats ${first} – ${last}`,
    (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index).join(', '),
  ];
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 0, max: 7 }),
      fc.constantFrom(...write),
      fc.constantFrom(...write),
      (first, more, one, other) => {
        const shared = findSharedSeats(
          { ...place, seats: one(first, first + more) },
          { section: ' Section 112 ', seat_row: 'row b', seats: other(first, first + more) },
        );
        expect(shared).toHaveLength(more + 1);
      },
    ),
  );
});

test.each([
  [{ section: 'Sec112', seat_row: 'B', seats: '12' }],
  [{ section: '１１２', seat_row: 'В', seats: '12' }],
  [{ section: 'Section #112', seat_row: 'Row-B', seats: '13 11' }],
  [{ section: '0112', seat_row: 'b.', seats: '20-10' }],
])('%j is a seat of section 112, row B, seats 12-14', (other) => {
  expect(findSharedSeats({ section: '112', seat_row: 'B', seats: '12-14' }, other)).not.toEqual([]);
});

test.each([
  [{ section: '113', seat_row: 'B', seats: '12' }],
  [{ section: '112', seat_row: 'C', seats: '12' }],
  [{ section: '112', seat_row: 'B', seats: '15' }],
  [{ section: '112', seat_row: 'B', seats: 'General admission' }],
])('%j is not the same seat as section 112, row B, seats 12-14', (other) => {
  expect(findSharedSeats({ section: '112', seat_row: 'B', seats: '12-14' }, other)).toEqual([]);
});

test('a seat without section and row may be anywhere', () => {
  const seat = { section: null, seat_row: null, seats: '12' };
  expect(findSharedSeats(seat, seat)).toEqual([]);
});
