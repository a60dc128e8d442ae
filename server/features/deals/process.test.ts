import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import type { DealEventLine } from '#contract/deal-event-lines.ts';
import {
  findStartTransition,
  findTransition,
  getStateAfterTransition,
  isNonPartyActor,
  listTransitions,
} from '#contract/deal-process.ts';
import { type DealKind, dealKinds, dealStates, isOpenDealState } from '#contract/deal-states.ts';
import {
  type DealTransition,
  type DealTransitionName,
  dealTransitions,
  nonPartyActors,
} from '#contract/deal-transitions.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { createDeal } from './new-deal.ts';
import { applyTransition, type DealRow, type TransitionData, toDealEventLine } from './process.ts';

const transitions: readonly DealTransition[] = dealTransitions;
const names = [...new Set(dealTransitions.map(({ name }) => name))];
const start = new Date('2026-03-02T18:00:00.000Z');
const categories: Record<DealKind, string> = { sale: 'furniture', gift: 'free', rental: 'rentals' };

const startDeal = (kind: DealKind): DealRow =>
  createDeal(
    {
      client_id: '',
      listing_id: '',
      ...(kind === 'rental' ? { first_day: '2026-03-05', last_day: '2026-03-07' } : {}),
    },
    {
      listing: {
        id: '5d3e3bd2-0a6c-4b0e-8b52-7f0f0f0b0c0d',
        user_id: '',
        title: 'Desk',
        price: kind === 'gift' ? 0 : 20,
        category: categories[kind],
        status: 'published',
        game_date: null,
        away_until: null,
        ended_at: null,
        deleted_at: null,
        hidden_at: null,
        requested_changes: null,
        is_on_hold: false,
        is_price_firm: false,
        section: null,
        seat_row: null,
        seats: null,
        ticket_count: null,
        ticket_sale: null,
        face_value: null,
        rental_period: 'day',
        deposit: null,
        day_price: null,
        week_price: null,
        month_price: null,
        min_rental_days: null,
        max_rental_days: null,
        handout_days: null,
        hold_hours: 48,
        gift_mode: 'first_come',
        draw_closes_at: null,
        drawn_at: null,
        sold_to: null,
        sold_at: null,
        rented_until: null,
        sale_confirmed_at: null,
      },
      buyerId: '',
      conversationId: '',
      isReserved: false,
      now: start,
      campus: defaultCampus,
    },
  );

/** Data that is valid for every transition. */
const createData = (deal: DealRow, now: Date): TransitionData => ({
  price: 25,
  reason: 'A reason.',
  place: { spotId: null, name: 'The fountain' },
  times: [addSeconds(now, 3600), addSeconds(now, 7200)],
  time: deal.proposed_times[0],
  lastDay: '2026-03-20',
  cause: 'withdrawn',
});

const replay = (lines: readonly DealEventLine[]) => {
  let state: DealEventLine['from'] = null;
  let number = 0;
  for (const line of lines) {
    const transition = transitions.find(
      (it) =>
        it.name === line.transition &&
        it.from.includes(line.from) &&
        getStateAfterTransition(it, line.kind) === line.state,
    );
    expect([line.from, line.number, transition?.name]).toEqual([state, number + 1, line.transition]);
    [state, number] = [line.state, line.number];
  }
  return lines.at(-1);
};

const actors = ['buyer', 'seller', ...nonPartyActors] as const;

interface Action {
  name: DealTransitionName;
  actor: (typeof actors)[number];
  /** Time until the next action, in seconds. */
  seconds: number;
}

/** Returns waiting times, in seconds, after which further transitions may become possible. */
const listDelays = ({ deadline_at: deadline, handover_at: handover }: DealRow, now: Date): number[] => {
  const secondsUntil = (instant: Date) => (instant.getTime() - now.getTime()) / 1000;
  const ofDeadline = deadline ? [secondsUntil(deadline) - 3600, secondsUntil(deadline)] : [];
  const ofHandover = handover ? [secondsUntil(handover), secondsUntil(handover) + 1800] : [];
  return [60, ...ofDeadline, ...ofHandover].filter((seconds) => seconds >= 0);
};

const take = (deal: DealRow, { name, actor }: Action, now: Date) => {
  const transition = findTransition(deal, name, actor, now);
  if (!transition) return undefined;
  const by = isNonPartyActor(actor) ? null : actor;
  const data = createData(deal, now);
  const next = applyTransition(deal, { transition, by, data, now }, defaultCampus);
  return { transition, next, line: toDealEventLine(deal, next, { transition, by, data }) };
};

/**
 * Finds every transition of the table that a kind of deal can reach, and returns for each one a shortest sequence of
 * actions that ends with it.
 */
const findPaths = (kind: DealKind): Action[][] => {
  const paths = new Map<DealTransition, Action[]>();
  const found = new Set<string>();
  const queue: { deal: DealRow; now: Date; path: Action[] }[] = [
    { deal: startDeal(kind), now: start, path: [] },
  ];
  for (const { deal, now, path } of queue)
    for (const seconds of listDelays(deal, now))
      for (const actor of actors)
        for (const name of names) {
          const action = { name, actor, seconds };
          const later = addSeconds(now, seconds);
          const result = take(deal, action, later);
          if (!result) continue;
          if (!paths.has(result.transition)) paths.set(result.transition, [...path, action]);
          const { state, turn, handover_proposed_by: proposer, handover_at: time, reported } = result.next;
          const key = JSON.stringify([
            state,
            turn,
            proposer,
            time !== null,
            reported,
            result.next.requested_last_day,
            result.next.requested_extra_price,
          ]);
          if (found.has(key)) continue;
          found.add(key);
          queue.push({ deal: result.next, now: later, path: [...path, action] });
        }
  return [...paths.values()];
};

const actionArbitrary = fc.record({
  name: fc.constantFrom(...names),
  actor: fc.constantFrom('buyer', 'seller', ...actors),
  // Time until the next action: usually short, sometimes longer than a deadline.
  seconds: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 0, max: 3600 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 60 * 3600 }) },
  ),
  /**
   * If defined, the action takes the possible transition with this index, modulo the number of possible transitions.
   * If undefined, it tries the transition `name`, which may be impossible.
   */
  choice: fc.option(fc.nat({ max: 20 }), { nil: undefined }),
});

const assertDealIsConsistent = (deal: DealRow): void => {
  expect((deal.turn !== null) === (deal.state === 'offered')).toBe(true);
  expect(deal.offer_count).toBeLessThanOrEqual(6);
  if (!isOpenDealState(deal.state)) expect([deal.deadline_at, deal.is_waiting]).toEqual([null, false]);
  if (['offered', 'held', 'handed_over', 'back'].includes(deal.state))
    expect(deal.deadline_at).not.toBeNull();
};

/**
 * Tries the actions in order, checks the deal after each one, and compares the final deal with the one that `replay`
 * reconstructs from the event lines. Returns the transitions of the table that were made.
 */
const runActions = (kind: DealKind, actions: readonly (Action & { choice?: number | undefined })[]) => {
  let deal = startDeal(kind);
  let now = start;
  const lines = [
    toDealEventLine(null, deal, { transition: findStartTransition(kind), by: 'buyer', data: {} }),
  ];
  const made: DealTransition[] = [];
  for (const { choice, ...action } of actions) {
    now = addSeconds(now, action.seconds);
    const party = isNonPartyActor(action.actor) ? null : action.actor;
    const possible = party ? listTransitions(deal, party, now) : [];
    const name = possible[(choice ?? Number.NaN) % possible.length] ?? action.name;
    const result = take(deal, { ...action, name }, now);
    if (party) expect(result !== undefined).toBe(possible.includes(name));
    if (!result) continue;
    const isPastDeadline = deal.deadline_at !== null && now >= deal.deadline_at;
    expect(isPastDeadline && party !== null).toBe(false);
    deal = result.next;
    lines.push(result.line);
    made.push(result.transition);
    assertDealIsConsistent(deal);
  }
  expect(replay(lines)).toMatchObject({
    number: deal.number,
    state: deal.state,
    turn: deal.turn,
    price: deal.price,
    first_day: deal.first_day,
    last_day: deal.last_day,
    requested_last_day: deal.requested_last_day,
    deadline_at: deal.deadline_at?.toISOString() ?? null,
    place: deal.place,
    time: deal.handover_at?.toISOString() ?? null,
    times: deal.proposed_times.map((time) => time.toISOString()),
  });
  return made;
};

const runs = Number(process.env.DEAL_MODEL_RUNS ?? 5000);

test('promise 61: random transitions of both parties, clock and server follow the transition table', {
  timeout: 20_000 + runs * 10,
}, () => {
  // Each run begins with a sequence of actions that reaches a transition of the table, so that every one is reached for
  // any seed.
  const begun = dealKinds.flatMap((kind) => findPaths(kind).map((path) => ({ kind, path })));
  const made = begun.flatMap(({ kind, path }) => runActions(kind, path));
  expect(new Set(made)).toEqual(new Set(transitions.filter(({ from }) => !from.includes(null))));
  expect(
    new Set([
      'offered',
      ...made.flatMap((transition) => [transition.to, transition.rentalTo ?? transition.to]),
    ]),
  ).toEqual(new Set(dealStates));
  fc.assert(
    fc.property(
      fc.constantFrom(...begun),
      fc.array(actionArbitrary, { maxLength: 30 }),
      ({ kind, path }, random) => {
        runActions(kind, [...path, ...random]);
      },
    ),
    { numRuns: runs },
  );
});
