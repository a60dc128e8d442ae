import { describe, expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import {
  type DealEventLine,
  dealEndCauses,
  formatDealEventLine,
  formatDealTerms,
  formatEventLine,
  formatListingChanges,
} from './deal-event-lines.ts';
import { getStateAfterTransition, isNonPartyActor } from './deal-process.ts';
import type { DealParty } from './deal-states.ts';
import { type DealTransition, dealTransitions } from './deal-transitions.ts';
import { createDealEventLine } from './testing.ts';

const transitions: readonly DealTransition[] = dealTransitions;
const context = { otherName: 'Maya', campus: defaultCampus };

const line = createDealEventLine({
  place: 'the fountain',
  times: ['2026-03-04T02:00:00.000Z', '2026-03-04T03:15:00.000Z'],
  time: '2026-03-04T03:15:00.000Z',
  reason: 'I found another one.',
  cause: 'sold',
  extra_price: 12,
});

const getActor = ({ by }: DealTransition): DealParty | null => {
  if (isNonPartyActor(by)) return null;
  return by === 'seller' ? 'seller' : 'buyer';
};
const toLine = (transition: DealTransition): DealEventLine => ({
  ...line,
  transition: transition.name as DealEventLine['transition'],
  by: getActor(transition),
  from: transition.from[0] ?? null,
  kind: transition.kinds?.[0] ?? 'rental',
  state: getStateAfterTransition(transition, transition.kinds?.[0] ?? 'rental'),
  first_day: '2026-03-05',
  last_day: '2026-03-09',
});

describe('the sentence of an event line', () => {
  test.each(
    transitions.map(
      (transition) =>
        [`${transition.name} from ${transition.from.join(' or ') || 'nothing'}`, transition] as const,
    ),
  )('%s is complete for everybody', (_name, transition) => {
    for (const reader of ['buyer', 'seller', 'anyone'] as const) {
      const sentence = formatDealEventLine(toLine(transition), reader, context);
      expect(sentence).toMatch(/^[A-Z].*[.\d]$/);
      expect(sentence).not.toMatch(/[{}]|undefined|null| {2}|: ?$/);
    }
  });

  test('calls an offer for a free item a request', () => {
    const gift = { ...line, kind: 'gift', from: 'offered' } as const;
    expect(formatDealEventLine({ ...gift, transition: 'withdraw' }, 'seller', context)).toBe(
      'Maya withdrew the request.',
    );
    expect(formatDealEventLine({ ...gift, transition: 'expire', by: null }, 'buyer', context)).toBe(
      'The request expired without an answer.',
    );
  });

  test('differs for the party that acted, the other party, and readers who are neither', () => {
    expect(formatDealEventLine(line, 'buyer', context)).toBe('You offered $110.');
    expect(formatDealEventLine(line, 'seller', context)).toBe('Maya offered $110.');
    expect(formatDealEventLine(line, 'anyone', context)).toBe('The buyer offered $110.');
  });

  test('names deadlines in campus time', () => {
    const accepted: DealEventLine = {
      ...line,
      transition: 'accept',
      by: 'seller',
      from: 'offered',
      state: 'held',
    };
    expect(formatDealEventLine(accepted, 'buyer', context)).toBe(
      'Maya accepted. The item is on hold until Wed, Mar 4, 6:30 PM.',
    );
  });

  test('distinguishes a return reported by the renter from one confirmed by the owner', () => {
    const returned: DealEventLine = {
      ...line,
      transition: 'returned',
      from: 'out',
      kind: 'rental',
      state: 'back',
    };
    expect(formatDealEventLine({ ...returned, by: 'buyer' }, 'anyone', context)).toBe(
      'The renter reported the return.',
    );
    expect(formatDealEventLine({ ...returned, by: 'seller', state: 'completed' }, 'anyone', context)).toBe(
      'The owner has the item back.',
    );
  });

  test.each(Object.keys(dealEndCauses) as DealEventLine['cause'][])(
    'gives the cause of an end: %s',
    (cause) => {
      const ended: DealEventLine = {
        ...line,
        transition: 'end',
        by: null,
        from: 'held',
        state: 'closed',
        cause,
      };
      expect(formatDealEventLine(ended, 'seller', context)).toMatch(/^This deal was closed: [a-z’ ]+\.$/);
    },
  );
});

test.each([
  [{ price: 110, first_day: null, last_day: null }, '$110'],
  [{ price: 60, first_day: '2026-10-01', last_day: '2026-10-05' }, '$60 for Oct 1 to Oct 5'],
  [{ price: 12.5, first_day: '2026-10-01', last_day: '2026-10-01' }, '$12.50 for Oct 1'],
])('formats the terms %o as %s', (terms, text) => {
  expect(formatDealTerms(terms, defaultCampus)).toBe(text);
});

describe('the event line about a changed listing', () => {
  const price = { field: 'price', before: '$110', after: '$90' } as const;
  const description = { field: 'description', before: null, after: null } as const;
  const photos = { field: 'photos', before: null, after: null } as const;
  test.each([
    [[price], 'The listing changed: price $110 → $90.'],
    [
      [price, { field: 'condition', before: 'Good', after: 'Fair' } as const],
      'The listing changed: price $110 → $90, condition Good → Fair.',
    ],
    [[description], 'The description changed.'],
    [
      [price, description, photos],
      'The listing changed: price $110 → $90. The description and the photos changed.',
    ],
  ])('%j', (changes, sentence) => expect(formatListingChanges(changes)).toBe(sentence));
});

test.each([
  ['buyer', 'sold', 'Maya marked this as sold to you. You can confirm it within 14 days.'],
  ['seller', 'given_away', 'You marked this as given to Maya.'],
  ['anyone', 'rented', 'The seller marked this as rented to the buyer, who can confirm it within 14 days.'],
] as const)('tells the %s that the item was %s to the buyer', (reader, outcome, sentence) =>
  expect(formatEventLine({ sale_outcome: outcome, listing_changes: [] }, reader, context)).toBe(sentence),
);
