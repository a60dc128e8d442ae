import fc from 'fast-check';
import type { Category } from '#contract/categories.ts';
import type { DealParty, DealState } from '#contract/deal-states.ts';
import type { DealTransitionName } from '#contract/deal-transitions.ts';

/** Number of buyers in a random run; there is also one seller. */
export const buyerCount = 3;

const all: Category[] = ['furniture', 'free', 'rentals'];

/** Generates one random action in a test run of deals. */
export const dealActionArbitrary = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('start' as const),
      buyer: fc.integer({ min: 1, max: buyerCount }),
      day: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      kind: fc.constant('take_random' as const),
      deal: fc.nat({ max: 5 }),
      party: fc.constantFrom<DealParty>('buyer', 'seller'),
      choice: fc.nat({ max: 20 }),
      // Most actions are transitions that are possible and do not end the deal, so that runs reach later
      // states.
      isListed: fc.integer({ max: 9, min: 0 }).map((value) => value > 1),
      isEnding: fc.integer({ max: 9, min: 0 }).map((value) => value === 0),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 2, 20, 46, 60) }),
  },
  { weight: 2, arbitrary: fc.constantFrom({ kind: 'settle' as const }, { kind: 'deadlines' as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end_rental' as const), deal: fc.nat({ max: 5 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('block' as const),
      buyer: fc.integer({ min: 1, max: buyerCount }),
      by: fc.constantFrom<DealParty>('buyer', 'seller'),
    }),
  },
);
type RandomAction = typeof dealActionArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Actions at the beginning of a run. They lead to a chosen state, so that for every state there are runs
 * whose random actions start there, regardless of the seed.
 */
type FirstAction =
  | { kind: 'take'; deal: number; party: DealParty; name: DealTransitionName }
  | { kind: 'wait_until'; instant: 'deadline' | 'before_deadline' | 'after_handover' | 'before_handover' }
  | { kind: 'sell' }
  /** The first buyer confirms a sale that the seller recorded without a deal. */
  | { kind: 'confirm_sale' };
export type DealAction = RandomAction | FirstAction;

const start = (buyer: number): DealAction => ({ kind: 'start', buyer, day: 2 });
const take = (party: DealParty, name: DealTransitionName, deal = 0): DealAction => ({
  kind: 'take',
  deal,
  party,
  name,
});
const settle: DealAction = { kind: 'settle' };
const expire: DealAction[] = [{ kind: 'wait_until', instant: 'deadline' }, { kind: 'deadlines' }];
const hold = [start(1), take('seller', 'accept')];
const beforeDeadline: DealAction = { kind: 'wait_until', instant: 'before_deadline' };
const agree = [...hold, take('buyer', 'propose_handover'), take('seller', 'agree_handover')];
const lend = [...hold, take('buyer', 'received')];
const wait: DealAction = { kind: 'wait', hours: 60 };
/** A rental that is out after its last day. */
const late = [...lend, wait, wait];
const agreeOnExtraPrice = [
  ...[take('seller', 'propose_extra_price'), take('buyer', 'decline_extra_price')],
  ...[take('seller', 'propose_extra_price'), take('buyer', 'accept_extra_price')],
];

/**
 * Sequences of actions that lead to each state, with the categories in which deals have this state. Together
 * they use every transition of the table of transitions.
 */
const beginnings: { categories: Category[]; state: DealState; actions: DealAction[] }[] = [
  { categories: all, state: 'offered', actions: [start(1), start(2), start(3)] },
  { categories: all, state: 'held', actions: [start(1), start(2), start(3), take('seller', 'accept')] },
  {
    categories: ['furniture', 'rentals'],
    state: 'held',
    actions: [start(1), take('seller', 'counter'), take('buyer', 'accept')],
  },
  { categories: all, state: 'declined', actions: [start(1), take('seller', 'decline')] },
  { categories: all, state: 'withdrawn', actions: [start(1), take('buyer', 'withdraw')] },
  { categories: all, state: 'expired', actions: [start(1), ...expire] },
  { categories: all, state: 'lapsed', actions: [...hold, ...expire] },
  { categories: all, state: 'closed', actions: [start(1), start(2), { kind: 'sell' }, settle] },
  {
    categories: all,
    state: 'cancelled',
    actions: [...hold, start(2), start(3), take('seller', 'cancel'), settle],
  },
  {
    categories: all,
    state: 'no_show',
    actions: [
      ...agree,
      { kind: 'wait_until', instant: 'before_handover' },
      ...[take('seller', 'running_late'), take('buyer', 'here')],
      { kind: 'wait_until', instant: 'after_handover' },
      take('buyer', 'report_no_show'),
      take('seller', 'contest'),
    ],
  },
  {
    categories: ['furniture'],
    state: 'no_show',
    actions: [
      ...agree,
      { kind: 'wait_until', instant: 'after_handover' },
      ...[take('buyer', 'report_no_show'), take('seller', 'report_no_show')],
    ],
  },
  {
    categories: all,
    state: 'handed_over',
    actions: [
      ...hold,
      start(2),
      ...[beforeDeadline, take('buyer', 'agreed_in_chat'), beforeDeadline, take('seller', 'keep_hold')],
      ...[take('seller', 'handed_over'), take('buyer', 'object'), take('seller', 'handed_over')],
    ],
  },
  {
    categories: ['game-day'],
    state: 'handed_over',
    actions: [...hold, start(2), take('seller', 'transferred')],
  },
  {
    categories: ['furniture', 'free'],
    state: 'completed',
    actions: [...hold, start(2), take('buyer', 'received'), settle],
  },
  {
    categories: ['furniture', 'free'],
    state: 'completed',
    actions: [...hold, take('seller', 'handed_over'), ...expire],
  },
  { categories: ['rentals'], state: 'out', actions: [...hold, take('seller', 'handed_over'), ...expire] },
  {
    categories: ['rentals'],
    state: 'out',
    actions: [...lend, take('buyer', 'extend'), take('seller', 'accept_extension')],
  },
  {
    categories: ['rentals'],
    state: 'back',
    actions: [
      ...lend,
      ...[take('buyer', 'returned'), take('seller', 'object')],
      ...[take('buyer', 'extend'), take('seller', 'decline_extension'), take('buyer', 'returned')],
    ],
  },
  { categories: ['rentals'], state: 'out', actions: [...late, ...agreeOnExtraPrice] },
  {
    categories: ['rentals'],
    state: 'back',
    actions: [...late, take('buyer', 'returned'), ...agreeOnExtraPrice],
  },
  { categories: ['rentals'], state: 'completed', actions: [...lend, take('buyer', 'returned'), ...expire] },
  { categories: ['rentals'], state: 'completed', actions: [...lend, take('seller', 'returned')] },
  { categories: ['rentals'], state: 'closed', actions: [...lend, { kind: 'end_rental', deal: 0 }] },
  {
    categories: all,
    state: 'completed',
    actions: [start(1), start(2), take('buyer', 'withdraw'), { kind: 'confirm_sale' }, settle],
  },
];

/** The beginnings of test runs: one for each category and each state that its deals can reach. */
export const dealScenarios = beginnings.flatMap(({ categories, ...rest }) =>
  categories.map((category) => ({ category, ...rest })),
);
