import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Category } from '#contract/categories.ts';
import { addDays } from '#contract/days.ts';
import type { DealParty } from '#contract/deal-states.ts';
import { isServerEndableDealState } from '#contract/deal-states.ts';
import { type DealTransition, type DealTransitionName, dealTransitions } from '#contract/deal-transitions.ts';
import type { Deal, DealTransitionBody } from '#contract/deals.ts';
import { Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { blockPerson } from '#server/features/blocks/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestClock } from '#server/testing/clock.ts';
import {
  buyerCount,
  type DealAction,
  dealActionArbitrary,
  dealScenarios,
} from '#server/testing/deal-actions.ts';
import { assertReplayMatchesState } from '#server/testing/deal-replay.ts';
import { endRental } from './administration.ts';
import { applyDealDeadlines } from './deadline-job.ts';
import { makeDealTransition } from './make-transition.ts';
import { getDeal, listDealsOfListing } from './read-deals.ts';
import { recordSale } from './sale-recorder.ts';
import { settleDeals } from './settling.ts';
import { type DealSettlingJob, dealSettlingQueue } from './settling-queue.ts';
import { startDeal } from './start-deal.ts';

const names = [...new Set(dealTransitions.map(({ name }) => name))];
const runs = Number(process.env.DEAL_MODEL_RUNS ?? 200);

const clock = createTestClock();
const unsettled: DealSettlingJob[] = [];
let testApp: TestApp;
let app: App;
let sql: Sql;
let people: string[];

beforeAll(async () => {
  testApp = await startTestApp({ replace: { clock } });
  ({ sql } = testApp);
  app = {
    ...testApp.app,
    config: { ...testApp.app.config, rateLimits: false },
    // Keep the checks of deals, which `settleAll` runs; drop all other jobs.
    jobs: {
      enqueue: async (_tx, queue, payload) => {
        if (queue.name === dealSettlingQueue.name) unsettled.push(dealSettlingQueue.payload.parse(payload));
      },
    },
    mail: { assertSending: () => {}, send: async () => {} },
  };
  const now = clock.now();
  people = await Promise.all(
    Array.from({ length: buyerCount + 1 }, async () => {
      const [row] = await sql<{ id: string }[]>`
        INSERT INTO users (email, full_name, created_at, updated_at)
        VALUES (${`${randomUUID()}@usc.edu`}, 'A Student', ${now}, ${now}) RETURNING id`;
      await sql`INSERT INTO private.credentials (user_id, confirmed_at, updated_at) VALUES (${row?.id ?? ''}, ${now}, ${now})`;
      return row?.id ?? '';
    }),
  );
});
afterAll(() => testApp.close());

const insertListing = async (category: string): Promise<string> => {
  const id = randomUUID();
  const now = clock.now();
  await sql`
    INSERT INTO listings (id, slug, user_id, title, description, price, photos, category, condition, location, status,
      ticket_count, contact_email, created_at, updated_at, published_at)
    VALUES (${id}, ${`desk-${id}`}, ${people[0] ?? ''}, 'Solid oak desk', 'A desk of solid oak with two drawers and hardly a scratch.',
      ${category === 'free' ? 0 : 20}, '{}', ${category}, 'good', 'Village', 'published',
      ${category === 'game-day' ? 2 : null}, 'seller@usc.edu', ${now}, ${now}, ${now})`;
  return id;
};

const toNextQuarter = (seconds: number): string =>
  new Date(Math.ceil((clock.now().getTime() + seconds * 1000) / 900_000) * 900_000).toISOString();

/** Returns the request body of a transition, with data that is valid unless other deals make it invalid. */
const createBody = (transition: string, deal: Deal): DealTransitionBody => {
  const time = deal.first_day ? `${deal.first_day}T20:00:00.000Z` : toNextQuarter(7200);
  const data: Record<string, object> = {
    counter: { price: 15 },
    cancel: { reason: 'A reason.' },
    propose_handover: { place: 'The fountain', times: [time] },
    agree_handover: { time: deal.handover?.proposal?.times[0] ?? time },
    propose_extra_price: { price: 12 },
    extend: {
      last_day: deal.last_day ? addDays(deal.last_day, 1) : '',
    },
  };
  return { client_id: randomUUID(), transition, ...data[transition] } as DealTransitionBody;
};

const endingNames = ['decline', 'withdraw', 'cancel', 'report_no_show'];

/**
 * Transitions that the server lists as possible but may still refuse because of their data or other deals, for
 * example when a suggested time has passed or a day is taken.
 */
const mayFail = ['propose_handover', 'agree_handover', 'extend'];

const assertQueue = async (listingId: string): Promise<void> => {
  const [overlap] = await sql`
    SELECT 1 FROM deals a JOIN deals b ON a.listing_id = b.listing_id AND a.id < b.id
    WHERE a.listing_id = ${listingId} AND a.state IN ('held', 'handed_over', 'out', 'back')
      AND b.state IN ('held', 'handed_over', 'out', 'back')
      AND (a.kind <> 'rental' OR daterange(a.first_day, a.last_day, '[]') && daterange(b.first_day, b.last_day, '[]'))`;
  expect(overlap).toBeUndefined();
  const gifts = await sql<{ id: string }[]>`
    SELECT id FROM deals WHERE listing_id = ${listingId} AND kind = 'gift' AND state = 'offered' ORDER BY created_at, id`;
  const queue = (await listDealsOfListing(app, people[0] ?? '', listingId)).filter(
    ({ position }) => position !== null,
  );
  if (gifts.length > 0)
    expect(queue.map(({ id, position }) => [id, position])).toEqual(
      gifts.map(({ id }, index) => [id, index + 1]),
    );
};

const getProblemCode = async (work: Promise<unknown>): Promise<string | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
};

const hasBlock = async (buyerId: string): Promise<boolean> => {
  const blocked = await sql`SELECT FROM blocks WHERE ${buyerId} IN (user_id, blocked_id)`;
  return blocked.length > 0;
};

const settleAll = async (): Promise<void> => {
  for (const queued of unsettled.splice(0)) await settleDeals(app, queued);
};

const takeTransition = async (id: string, party: DealParty, choose: (deal: Deal) => DealTransitionName) => {
  const [row] = await sql<{ buyer_id: string }[]>`SELECT buyer_id FROM deals WHERE id = ${id}`;
  const userId = (party === 'seller' ? people[0] : row?.buyer_id) ?? '';
  const before = await getDeal(app, userId, id);
  const name = choose(before);
  if (['offer', 'claim', 'expire', 'lapse', 'confirm', 'renew', 'end'].includes(name)) return;
  const taking = makeDealTransition(app, userId, id, createBody(name, before));
  const code = await getProblemCode(taking);
  if (code === undefined) expect(await taking).toEqual(await getDeal(app, userId, id));
  const isListed = before.transitions.includes(name);
  const isBlocked = isServerEndableDealState(before.state) && (await hasBlock(row?.buyer_id ?? ''));
  if (isListed && isBlocked) expect(code).toBe('contact_refused');
  else if (!isListed) expect(code).toBe('deal_moved_on');
  else if (!mayFail.includes(name)) expect(code).toBeUndefined();
  if (code === undefined && name === 'accept' && before.kind === 'gift') expect(before.position).toBe(1);
  if (code !== undefined) expect(await getDeal(app, userId, id)).toEqual(before);
};

const takeRandomTransition = (
  id: string,
  action: Extract<DealAction, { kind: 'take_random' }>,
): Promise<void> =>
  takeTransition(id, action.party, ({ transitions }) => {
    const listed = transitions.filter((name) => action.isEnding || !endingNames.includes(name));
    const candidates = action.isListed && listed.length > 0 ? listed : names;
    return candidates[action.choice % candidates.length] ?? 'accept';
  });

const start = async (
  listingId: string,
  category: string,
  { buyer, day }: Extract<DealAction, { kind: 'start' }>,
) => {
  const today = clock.now().toISOString().slice(0, 10);
  const days = { first_day: addDays(today, day), last_day: addDays(today, day + 1) };
  const body = { client_id: randomUUID(), listing_id: listingId, ...(category === 'rentals' ? days : {}) };
  const started = await startDeal(app, people[buyer] ?? '', body).catch((error: unknown) => error);
  if (!(started instanceof Problem)) {
    expect(await hasBlock(people[buyer] ?? '')).toBe(false);
    return started as Deal;
  }
  const isBlocked = await hasBlock(people[buyer] ?? '');
  const codes = [
    'deal_moved_on',
    'listing_not_found',
    'rate_limited',
    ...(isBlocked ? ['contact_refused'] : []),
  ];
  expect(codes).toContain(started.code);
  return undefined;
};

const waitUntil = async (
  id: string,
  instant: Extract<DealAction, { kind: 'wait_until' }>['instant'],
): Promise<void> => {
  const deal = await getDeal(app, people[0] ?? '', id);
  const time = instant.endsWith('deadline') ? deal.deadline_at : deal.handover?.time;
  if (!time) throw new Error('The deal has no such instant');
  const minutes = { deadline: 0, before_deadline: -60, before_handover: -10, after_handover: 30 }[instant];
  clock.set(addSeconds(new Date(time), minutes * 60));
};

const tryToEndRental = async (id: string): Promise<void> => {
  const before = await getDeal(app, people[0] ?? '', id);
  const isHandedOver = ['handed_over', 'out', 'back'].includes(before.state);
  const code = await getProblemCode(endRental(app, id, 'A reason.'));
  expect(code).toBe(before.kind === 'rental' && isHandedOver ? undefined : 'not_found');
};

/** Marks a listing as sold to its first buyer without a deal; the buyer confirms it. */
const confirmSale = async (listingId: string, category: Category): Promise<void> => {
  const [sellerId = '', buyerId = ''] = people;
  const now = clock.now();
  await runInTransaction(sql, async (tx) => {
    await tx`
      UPDATE listings SET status = 'sold', sold_to = ${buyerId}, sold_at = ${now}, sale_confirmed_at = ${now}
      WHERE id = ${listingId}`;
    const listing = { id: listingId, user_id: sellerId, title: 'Solid oak desk', category };
    await recordSale(app, tx, { listing, buyerId, now });
  });
  unsettled.push({ listing_id: listingId });
};

/** Asserts that, once the jobs have run, no offer or hold is left between people of whom one blocked the other one. */
const assertBlocksEndDeals = async (listingId: string): Promise<void> => {
  while (unsettled.length > 0) await settleAll();
  const left = await sql`
    SELECT d.state FROM deals d JOIN blocks b ON d.buyer_id IN (b.user_id, b.blocked_id)
    WHERE d.listing_id = ${listingId} AND d.state IN ('offered', 'held')`;
  expect(left).toEqual([]);
};

/** Returns a function that performs the random actions of one test run on a single listing. */
const createActor = (listingId: string, category: Category) => {
  const ids: string[] = [];
  return async (action: DealAction): Promise<void> => {
    clock.advance(60);
    const id = 'deal' in action ? ids[action.deal % ids.length] : ids[0];
    switch (action.kind) {
      case 'start': {
        const started = await start(listingId, category, action);
        if (started) ids.push(started.id);
        return;
      }
      case 'take_random':
        if (id !== undefined) await takeRandomTransition(id, action);
        return;
      case 'take':
        return takeTransition(id ?? '', action.party, () => action.name);
      case 'wait':
        return clock.advance(action.hours * 3600);
      case 'wait_until':
        return waitUntil(id ?? '', action.instant);
      case 'deadlines':
        return applyDealDeadlines(app);
      case 'settle':
        return settleAll();
      case 'end_rental':
        if (id !== undefined) await tryToEndRental(id);
        return;
      case 'block': {
        const [seller = '', buyer = ''] = [people[0], people[action.buyer]];
        return action.by === 'seller' ? blockPerson(app, seller, buyer) : blockPerson(app, buyer, seller);
      }
      case 'confirm_sale':
        return confirmSale(listingId, category);
      case 'sell': {
        const soldAt = addSeconds(clock.now(), -60);
        await sql`UPDATE listings SET status = 'sold', sold_at = ${soldAt}, sale_confirmed_at = ${soldAt} WHERE id = ${listingId}`;
        unsettled.push({ listing_id: listingId });
      }
    }
  };
};

test(
  'promise 61: random transitions of all actors follow the transition table and never hold an item twice',
  async () => {
    const reached = new Set<DealTransition>();
    for (const { category, state, actions } of dealScenarios)
      await fc.assert(
        fc.asyncProperty(fc.array(dealActionArbitrary, { minLength: 5, maxLength: 25 }), async (random) => {
          const listingId = await insertListing(category);
          const act = createActor(listingId, category);
          for (const action of actions) await act(action);
          const [deal] = await sql`SELECT 1 FROM deals WHERE listing_id = ${listingId} AND state = ${state}`;
          expect([category, state, deal !== undefined]).toEqual([category, state, true]);
          for (const action of random) await act(action);
          await assertQueue(listingId);
          await assertBlocksEndDeals(listingId);
          for (const transition of await assertReplayMatchesState(sql, listingId)) reached.add(transition);
          unsettled.splice(0);
          await sql`DELETE FROM deals`;
          await sql`DELETE FROM blocks`;
        }),
        { numRuns: Math.ceil(runs / dealScenarios.length) },
      );
    const toNames = (some: Iterable<DealTransition>) =>
      [...some].map(({ name, from, to }) => `${name}: ${from} -> ${to}`).sort();
    expect(toNames(reached)).toEqual(toNames(dealTransitions));
  },
  300_000 + runs * 500,
);
