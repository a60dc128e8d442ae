import { expect, test } from 'vitest';
import { defaultCampus as campus } from './campus.ts';
import { type DealState, dealStates, isOpenDealState } from './deal-states.ts';
import { dealStateLabels, describeDeal, getTransitionLabel } from './deal-status.ts';
import type { Deal } from './deals.ts';
import { createDeal, createDealEventLine, createHandover } from './testing.ts';

const describe = (change: Partial<Deal>, party: 'buyer' | 'seller', now = '2026-11-22T17:00:00.000Z') =>
  describeDeal(createDeal(change), party, { otherName: 'Maya', campus, now: new Date(now) });

test('says whose turn it is to answer an offer, and when the offer expires without an answer', () => {
  expect(describe({}, 'seller')).toEqual({
    sentence: 'Maya offers $110.',
    next: 'You can answer.',
    turn: 'seller',
    otherwise: 'Without an answer the offer expires on Tue, Nov 24, 9:00 AM.',
  });
  expect(describe({}, 'buyer')).toMatchObject({ sentence: 'You offer $110.', next: 'Maya can answer.' });
  expect(describe({ turn: 'buyer' }, 'buyer')).toMatchObject({
    sentence: 'Maya offers $110.',
    turn: 'buyer',
  });
});

test('says that a rental was due back, starting the day after its last day', () => {
  const out = {
    kind: 'rental',
    state: 'out',
    turn: null,
    first_day: '2026-11-10',
    last_day: '2026-11-13',
  } as const;
  // The dates are days on the campus, where midnight is at 8:00 UTC.
  expect(describe(out, 'buyer', '2026-11-14T07:59:00.000Z').sentence).toBe('You have it until Nov 13.');
  expect(describe(out, 'buyer', '2026-11-14T08:00:00.000Z').sentence).toBe(
    'You still have it. It was due back on Nov 13.',
  );
  expect(describe(out, 'seller', '2026-11-14T08:00:00.000Z').sentence).toBe(
    'Maya still has it. It was due back on Nov 13.',
  );
  expect(describe(out, 'buyer').next).toBe('Say so when you have returned it.');
  expect(describe(out, 'seller').next).toBe('Confirm the return when it is back.');
});

test('says first what the owner of a late rental proposes for the extra days, or what both agreed on', () => {
  const late = { kind: 'rental', turn: null, first_day: '2026-11-10', last_day: '2026-11-13' } as const;
  const proposed = { ...late, state: 'out', requested_extra_price: 7.5 } as const;
  expect(describe(proposed, 'buyer')).toMatchObject({
    sentence: 'Maya proposes $7.50 for the extra days.',
    next: 'You still have it. It was due back on Nov 13.',
    turn: 'buyer',
  });
  expect(describe(proposed, 'seller')).toMatchObject({
    sentence: 'You proposed $7.50 for the extra days.',
    next: 'Maya still has it (due back on Nov 13) and can answer.',
    turn: 'buyer',
  });
  // After the proposal the rental was extended.
  expect(describe({ ...proposed, last_day: '2026-11-30' }, 'seller').next).toBe(
    'Maya has it until Nov 30 and can answer.',
  );
  const returned = { ...proposed, state: 'back' } as const;
  expect(describe(returned, 'buyer')).toMatchObject({
    sentence: 'Maya proposes $7.50 for the extra days.',
    next: 'You returned it. Maya can confirm it.',
    turn: 'buyer',
  });
  expect(describe(returned, 'seller')).toMatchObject({
    sentence: 'Maya says that you have it back.',
    next: 'Confirm it, or say that it’s not back. You proposed $7.50 for the extra days.',
    turn: 'seller',
  });
  expect(describe({ ...late, state: 'out', extra_price: 5 }, 'buyer').next).toBe(
    'Agreed for the extra days: $5. Say so when you have returned it.',
  );
});

test('names the days of a rental and the position of a claim in the line', () => {
  const rental = { kind: 'rental', first_day: '2026-12-01', last_day: '2026-12-05' } as const;
  expect(describe(rental, 'seller').sentence).toBe('Maya offers $110 for Dec 1 to Dec 5.');
  const gift = { kind: 'gift', price: 0, position: 2, waiting: true, deadline_at: null } as const;
  expect(describe(gift, 'buyer')).toEqual({
    sentence: 'You asked for this item.',
    next: 'Number 2 in line. On hold for somebody else: the request waits and doesn’t expire.',
    turn: null,
    otherwise: '',
  });
  const behind = { ...gift, waiting: false } as const;
  expect(describe(behind, 'buyer')).toMatchObject({
    next: 'Number 2 in line. Maya answers the first in line.',
    turn: null,
  });
  expect(describe(behind, 'seller')).toMatchObject({
    next: 'Number 2 in line. Only the first in line can get it.',
    turn: null,
  });
  expect(describe({ ...rental, waiting: true, deadline_at: null }, 'buyer').next).toBe(
    'Somebody else has some of these days: the offer waits and doesn’t expire.',
  );
  expect(describe({ ...gift, position: null }, 'buyer').next).toBe('The draw decides who can get it.');
  const drawn = { ...gift, position: null, draw_closes_at: '2026-11-22T18:00:00.000Z' } as const;
  for (const party of ['buyer', 'seller'] as const)
    expect(describe(drawn, party)).toMatchObject({
      next: 'The draw decides who can get it.',
      otherwise: 'The order is drawn on Sun, Nov 22, 10:00 AM.',
    });
  expect(describe(drawn, 'buyer', '2026-11-22T18:00:01.000Z').otherwise).toBe('');
});

test('calls an offer for a free item a request', () => {
  const gift = { kind: 'gift', price: 0 } as const;
  expect(describe(gift, 'seller').otherwise).toBe(
    'Without an answer the request expires on Tue, Nov 24, 9:00 AM.',
  );
  expect(describe({ ...gift, state: 'expired' }, 'buyer').sentence).toBe(
    'The request expired without an answer.',
  );
  expect(describe({ ...gift, state: 'withdrawn' }, 'buyer').sentence).toBe('The request was withdrawn.');
  expect(describe({ ...gift, state: 'declined' }, 'buyer').sentence).toBe('The request was declined.');
});

test('says that it is the turn of the party that has to answer a suggested time', () => {
  const handover = {
    spot_id: null,
    place: 'Library',
    time: null,
    agreed: false,
    proposal: { spot_id: null, place: 'Library', times: ['2026-11-23T17:00:00.000Z'], by: 'seller' },
  } as const satisfies Deal['handover'];
  const held = { state: 'held', turn: null } as const;
  const suggested = { ...handover, proposal: { ...handover.proposal, times: [...handover.proposal.times] } };
  expect(describe({ ...held, handover: suggested }, 'buyer')).toMatchObject({
    sentence: 'On hold for you: $110.',
    next: 'Maya suggests meeting at Library.',
    turn: 'buyer',
  });
  expect(describe({ ...held, handover: suggested }, 'seller')).toMatchObject({
    next: 'Maya can choose one of your times.',
    turn: 'buyer',
  });
});

test('names only the steps of a hold that are possible', () => {
  const held = { state: 'held', turn: null } as const;
  const next = (transitions: Deal['transitions'], change: Partial<Deal> = {}) =>
    describe({ ...held, transitions, ...change }, 'seller');
  expect(next(['propose_handover', 'handed_over', 'cancel']).next).toBe(
    'Agree on a time and a place to meet.',
  );
  expect(next(['transferred', 'propose_handover', 'handed_over', 'cancel']).next).toBe(
    'Transfer the tickets, or agree on a time and a place to meet.',
  );
  // After the first day of a rental, no time can be suggested.
  expect(next(['handed_over', 'cancel']).next).toBe(
    'Agree in the chat, and confirm the handover when it is done.',
  );
  // While the listing is in review, the deal can only end, also if a time was suggested.
  const proposal = {
    spot_id: null,
    place: 'Library',
    times: ['2026-11-23T17:00:00.000Z'],
    by: 'buyer',
  } as const;
  for (const handover of [null, createHandover({ proposal: { ...proposal, times: [...proposal.times] } })])
    expect(next(['cancel'], { handover })).toMatchObject({
      next: 'The listing is being checked. Until that is done, the deal can only end.',
      turn: null,
    });
});

test('tells the reported person the deadline for contesting the report', () => {
  const reported = { state: 'no_show', turn: null, deadline_at: null } as const;
  const until = 'If you were there, say so until Tue, Nov 24, 9:00 AM.';
  const updated_at = '2026-11-22T17:00:00.000Z';
  expect(describe({ ...reported, updated_at, transitions: ['contest'] }, 'buyer').otherwise).toBe(until);
  expect(describe({ ...reported, updated_at, transitions: [] }, 'seller').otherwise).toBe('');
});

test('states why a deal was closed if its last step is known', () => {
  const deal = createDeal({ state: 'closed', turn: null, deadline_at: null });
  const lastStep = createDealEventLine({
    deal_id: deal.id,
    transition: 'end',
    by: null,
    from: 'offered',
    state: 'closed',
    cause: 'sold',
  });
  const now = new Date('2026-11-22T17:00:00.000Z');
  const describeEnd = (step?: typeof lastStep) =>
    describeDeal(deal, 'buyer', { otherName: 'Maya', campus, now, lastStep: step }).sentence;
  expect(describeEnd(lastStep)).toBe('This deal was closed: the item was sold to somebody else.');
  expect(describeEnd({ ...lastStep, deal_id: 'another' })).toBe('The deal was closed.');
  expect(describeEnd()).toBe('The deal was closed.');
});

test.each([
  ['buyer', 'On hold for you: $110, although Maya marked it as sold.'],
  ['seller', 'On hold for Maya: $110, although you marked it as sold.'],
] as const)('says to the %s that an item on hold was marked as sold', (party, sentence) => {
  const now = new Date('2026-11-22T17:00:00.000Z');
  const deal = createDeal({ state: 'held', marked_as: 'sold' });
  expect(describeDeal(deal, party, { otherName: 'Maya', campus, now }).sentence).toBe(sentence);
});

test('has a label and a sentence for every state and party, and a next step only for open deals', () => {
  for (const state of dealStates) {
    expect(dealStateLabels[state]).toMatch(/^[A-Z]/);
    for (const party of ['buyer', 'seller'] as const) {
      const { sentence, next } = describe(
        { state, kind: 'rental', first_day: '2026-12-01', last_day: '2026-12-05' },
        party,
      );
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(next !== '', state).toBe(isOpenDealState(state));
    }
  }
});

test.each<[DealState, 'buyer' | 'seller', string]>([
  ['out', 'buyer', 'Returned'],
  ['out', 'seller', 'It’s back'],
  ['back', 'seller', 'It’s back'],
])('labels the return of a rental in the state %s for the %s', (state, party, label) => {
  expect(getTransitionLabel({ state, kind: 'rental' }, 'returned', party)).toBe(label);
});
