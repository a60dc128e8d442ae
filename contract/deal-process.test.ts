import { describe, expect, test } from 'vitest';
import {
  type DealFacts,
  findDeadlineTransition,
  findStartTransition,
  findTransition,
  getStateAfterTransition,
  isLateCancellation,
  listTransitions,
  maxOffersPerDeal,
} from './deal-process.ts';
import {
  type DealParty,
  type DealState,
  dealKinds,
  dealStates,
  isOpenDealState,
  openDealStates,
  reservingDealStates,
} from './deal-states.ts';
import { type DealTransition, dealDurationSeconds, dealTransitions } from './deal-transitions.ts';

const transitions: readonly DealTransition[] = dealTransitions;
const now = new Date('2026-03-02T18:00:00.000Z');
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);

const offered: DealFacts = {
  kind: 'sale',
  state: 'offered',
  turn: 'seller',
  deadline_at: inSeconds(3600),
  offer_count: 1,
  handover_proposed_by: null,
  handover_at: null,
  is_running_late: false,
  is_buyer_here: false,
  is_seller_here: false,
  is_buyer_late: false,
  is_seller_late: false,
  buyer_late_at: null,
  seller_late_at: null,
  has_agreed_in_chat: false,
  has_kept_hold: false,
  has_objected: false,
  requested_last_day: null,
  requested_extra_price: null,
  reported: null,
  is_contested: false,
  changed_at: now,
};
const held: DealFacts = { ...offered, state: 'held', turn: null };
const withHandover = (seconds: number): DealFacts => ({ ...held, handover_at: inSeconds(seconds) });

describe('the transition table', () => {
  test.each(dealKinds)('reaches every state of a %s, and no other', (kind) => {
    const reached = new Set<DealState>();
    const states: (DealState | null)[] = [null];
    for (let state = states.pop(); state !== undefined; state = states.pop()) {
      for (const transition of transitions) {
        if (!transition.from.includes(state) || !(transition.kinds ?? dealKinds).includes(kind)) continue;
        const target = getStateAfterTransition(transition, kind);
        if (!reached.has(target)) states.push(target);
        reached.add(target);
      }
    }
    const onlyOfRentals = ['out', 'back'];
    expect([...reached].sort()).toEqual(
      dealStates.filter((state) => kind === 'rental' || !onlyOfRentals.includes(state)).sort(),
    );
  });

  test('starts sales and rentals with an offer, and gifts with a claim', () => {
    expect(dealKinds.map((kind) => findStartTransition(kind).name)).toEqual(['offer', 'claim', 'offer']);
  });

  test('lets a party or the clock move a deal out of every open state', () => {
    for (const state of openDealStates) {
      expect(
        transitions.some((transition) => transition.from.includes(state) && transition.by !== 'server'),
      ).toBe(true);
    }
  });

  test('has exactly one clock transition out of each state with a deadline, for each kind of deal', () => {
    for (const transition of transitions.filter(({ deadline }) => deadline && deadline !== 'unchanged')) {
      for (const kind of transition.kinds ?? dealKinds) {
        const state = getStateAfterTransition(transition, kind);
        const ofClock = transitions.filter(
          (it) => it.by === 'clock' && it.from.includes(state) && (it.kinds ?? dealKinds).includes(kind),
        );
        expect(ofClock.map(({ name }) => name)).toEqual([findDeadlineTransition(state)]);
      }
    }
  });

  test('sets whose turn it is in every transition to `offered`, and in no other', () => {
    for (const transition of transitions)
      expect([transition.name, transition.turn !== undefined]).toEqual([
        transition.name,
        transition.to === 'offered',
      ]);
  });

  test('lets only open deals reserve a listing', () => {
    expect(reservingDealStates.every(isOpenDealState)).toBe(true);
    expect(isOpenDealState('completed')).toBe(false);
  });
});

describe('an offer', () => {
  test('can be answered only by the party whose turn it is, and withdrawn only by the other party', () => {
    expect(listTransitions(offered, 'seller', now)).toEqual(['counter', 'accept', 'decline']);
    expect(listTransitions(offered, 'buyer', now)).toEqual(['withdraw']);
    const countered: DealFacts = { ...offered, turn: 'buyer', offer_count: 2 };
    expect(listTransitions(countered, 'buyer', now)).toEqual(['counter', 'accept', 'decline']);
  });

  test('takes no further counter-offer after the sixth', () => {
    const last = { ...offered, offer_count: maxOffersPerDeal };
    expect(listTransitions(last, 'seller', now)).toEqual(['accept', 'decline']);
  });

  test('for a free item cannot be countered', () => {
    expect(listTransitions({ ...offered, kind: 'gift' }, 'seller', now)).toEqual(['accept', 'decline']);
  });

  test('cannot be answered once its deadline has passed; only the clock or the server can end it', () => {
    const deadline = inSeconds(3600);
    expect(findTransition(offered, 'accept', 'seller', inSeconds(3599.999))?.to).toBe('held');
    expect(findTransition(offered, 'accept', 'seller', deadline)).toBeUndefined();
    expect(findTransition(offered, 'expire', 'clock', inSeconds(3599.999))).toBeUndefined();
    expect(findTransition(offered, 'expire', 'clock', deadline)?.to).toBe('expired');
    expect(findTransition(offered, 'end', 'server', deadline)?.to).toBe('closed');
  });

  test('without a deadline never expires', () => {
    const waiting = { ...offered, deadline_at: null };
    expect(listTransitions(waiting, 'seller', inSeconds(9_999_999))).toEqual([
      'counter',
      'accept',
      'decline',
    ]);
    expect(findTransition(waiting, 'expire', 'clock', inSeconds(9_999_999))).toBeUndefined();
  });
});

describe('a hold', () => {
  test('can be extended once with `keep_hold` and once with `agreed_in_chat`, in its last three hours', () => {
    const early = inSeconds(3600 - dealDurationSeconds.warningBeforeHoldEnds - 1);
    expect(findTransition(held, 'keep_hold', 'seller', early)).toBeUndefined();
    expect(findTransition(held, 'keep_hold', 'seller', now)).toBeDefined();
    expect(findTransition(held, 'keep_hold', 'buyer', now)).toBeUndefined();
    expect(findTransition(held, 'agreed_in_chat', 'buyer', now)).toBeDefined();
    expect(findTransition({ ...held, has_kept_hold: true }, 'keep_hold', 'seller', now)).toBeUndefined();
    expect(
      findTransition({ ...held, has_agreed_in_chat: true }, 'agreed_in_chat', 'buyer', now),
    ).toBeUndefined();
    expect(findTransition(withHandover(0), 'agreed_in_chat', 'buyer', now)).toBeUndefined();
  });

  test('lets the party that did not suggest the handover agree to it', () => {
    const proposed: DealFacts = { ...held, handover_proposed_by: 'buyer' };
    expect(findTransition(proposed, 'agree_handover', 'seller', now)).toBeDefined();
    expect(findTransition(proposed, 'agree_handover', 'buyer', now)).toBeUndefined();
    expect(findTransition(held, 'agree_handover', 'seller', now)).toBeUndefined();
  });

  test.each([
    ['here', -3601, false],
    ['here', -3600, true],
    ['running_late', 3600, true],
    ['running_late', 3601, false],
    ['report_no_show', 899, false],
    ['report_no_show', 900, true],
    ['report_no_show', 86_400, true],
    ['report_no_show', 86_401, false],
  ] as const)('offers %s %d s after the agreed time: %s', (name, seconds, isPossible) => {
    const deal = { ...withHandover(-seconds), deadline_at: inSeconds(999_999) };
    expect(findTransition(deal, name, 'buyer', now) !== undefined).toBe(isPossible);
  });

  test.each(['buyer', 'seller'] as const)(
    'lets the %s say once that they are here, and that they are late',
    (party) => {
      const deal = withHandover(600);
      const other = party === 'buyer' ? 'seller' : 'buyer';
      const late = { ...deal, [`is_${party}_late`]: true };
      const here = { ...deal, [`is_${party}_here`]: true };
      const list = (facts: DealFacts, by: DealParty) =>
        listTransitions(facts, by, now).filter((name) => name === 'here' || name === 'running_late');
      expect(list(deal, party)).toEqual(['here', 'running_late']);
      expect(list(late, party)).toEqual(['here']);
      expect(list(here, party)).toEqual([]);
      for (const facts of [late, here]) expect(list(facts, other)).toEqual(['here', 'running_late']);
    },
  );

  test('can be reported as a no-show ten minutes later than usual when somebody is running late', () => {
    const late = { ...withHandover(-900), is_running_late: true };
    expect(findTransition(late, 'report_no_show', 'buyer', now)).toBeUndefined();
    expect(
      findTransition({ ...late, handover_at: inSeconds(-1500) }, 'report_no_show', 'buyer', now),
    ).toBeDefined();
  });
});

describe('after the handover', () => {
  test('the buyer can object once', () => {
    const handedOver: DealFacts = { ...held, state: 'handed_over' };
    expect(listTransitions(handedOver, 'buyer', now)).toEqual(['received', 'object']);
    expect(listTransitions({ ...handedOver, has_objected: true }, 'buyer', now)).toEqual(['received']);
    expect(listTransitions(handedOver, 'seller', now)).toEqual([]);
  });

  test('a received rental is in the state `out`; a received sale or gift is completed', () => {
    const transition = findTransition(held, 'received', 'buyer', now);
    if (!transition) throw new Error('A buyer can receive an item on hold');
    expect([
      getStateAfterTransition(transition, 'sale'),
      getStateAfterTransition(transition, 'gift'),
      getStateAfterTransition(transition, 'rental'),
    ]).toEqual(['completed', 'completed', 'out']);
  });

  test('the owner of a rental answers a request for more days and confirms the return', () => {
    const out: DealFacts = { ...held, kind: 'rental', state: 'out', deadline_at: null };
    expect(listTransitions(out, 'buyer', now)).toEqual(['extend', 'returned']);
    expect(listTransitions(out, 'seller', now)).toEqual(['propose_extra_price', 'returned']);
    expect(listTransitions({ ...out, requested_last_day: '2026-03-09' }, 'buyer', now)).toEqual(['returned']);
    expect(listTransitions({ ...out, requested_last_day: '2026-03-09' }, 'seller', now)).toEqual([
      'accept_extension',
      'decline_extension',
      'propose_extra_price',
      'returned',
    ]);
    expect(findTransition(out, 'returned', 'buyer', now)?.to).toBe('back');
    expect(findTransition(out, 'returned', 'seller', now)?.to).toBe('completed');
    expect(listTransitions({ ...out, state: 'back' }, 'seller', now)).toEqual([
      'object',
      'propose_extra_price',
      'returned',
    ]);
  });
});

test('the renter of a late rental answers one proposed price at a time', () => {
  for (const state of ['out', 'back'] as const) {
    const late: DealFacts = { ...held, kind: 'rental', state, deadline_at: null, requested_extra_price: 12 };
    expect(listTransitions(late, 'seller', now)).not.toContain('propose_extra_price');
    expect(listTransitions(late, 'buyer', now)).toEqual(
      expect.arrayContaining(['accept_extra_price', 'decline_extra_price']),
    );
    expect(listTransitions({ ...late, requested_extra_price: null }, 'buyer', now)).not.toContain(
      'accept_extra_price',
    );
  }
});

describe('a no-show report', () => {
  const reported: DealFacts = {
    ...withHandover(-3600),
    state: 'no_show',
    deadline_at: null,
    reported: 'buyer',
  };

  test('can be contested for 48 hours, or answered with a report by the other party', () => {
    expect(listTransitions(reported, 'buyer', now)).toEqual(['report_no_show', 'contest']);
    expect(listTransitions(reported, 'seller', now)).toEqual([]);
    expect(listTransitions(reported, 'buyer', inSeconds(dealDurationSeconds.contest))).toEqual(['contest']);
    expect(listTransitions(reported, 'buyer', inSeconds(dealDurationSeconds.contest + 1))).toEqual([]);
  });

  test('is final once it was contested or both parties reported', () => {
    expect(findTransition({ ...reported, is_contested: true }, 'contest', 'buyer', now)).toBeUndefined();
    expect(listTransitions({ ...reported, reported: null }, 'buyer', now)).toEqual([]);
  });
});

describe('a cancellation', () => {
  const minutes = 60;
  test.each([
    [121 * minutes, false],
    [120 * minutes, false],
    [119 * minutes, true],
    [-60 * minutes, true],
  ])('%i seconds before the agreed time is late: %s', (seconds, isLate) => {
    const deal = { handover_at: inSeconds(seconds), item_overdue: false };
    expect(isLateCancellation(deal, 'buyer', now)).toBe(isLate);
    expect(isLateCancellation(deal, 'seller', now)).toBe(isLate);
  });

  test('without an agreed time is never late', () => {
    expect(isLateCancellation({ handover_at: null, item_overdue: false }, 'buyer', now)).toBe(false);
  });

  test('is never late for the next renter of an overdue item, but can be late for the owner', () => {
    const deal = { handover_at: inSeconds(60), item_overdue: true };
    expect(isLateCancellation(deal, 'buyer', now)).toBe(false);
    expect(isLateCancellation(deal, 'seller', now)).toBe(true);
  });
});
