import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { insertOffers, type OfferedDays } from '#server/testing/offers.ts';
import { createDealClient } from './testing.ts';

const cleanupCallbacks: (() => Promise<unknown>)[] = [];
const clock = createTestClock();
let sql: Sql;
let servers: TestApp[];
let seller: Person;

beforeAll(async () => {
  const database = await createTestDatabase();
  cleanupCallbacks.push(database.drop);
  const secrets = generateSecrets();
  const start = async () => {
    const pool = openDatabase(database.url, { max: 8 });
    cleanupCallbacks.push(() => pool.end());
    const bus = await createPostgresBus(pool, silentLog);
    cleanupCallbacks.push(bus.close);
    const testApp = await startTestApp({ replace: { sql: pool, bus, secrets, clock } });
    cleanupCallbacks.push(testApp.close);
    return { ...testApp, sql: pool, clock };
  };
  const first = await start();
  servers = [first, await start()];
  sql = first.sql;
  seller = await first.signIn();
});
afterAll(async () => {
  for (const close of cleanupCallbacks.reverse()) await close();
});

const dealCount = 50;

/**
 * Creates a listing with offers from fifty buyers; the offers for a rental have different days.
 * Returns the deals' ids.
 */
const createOffers = async (form: object, toDays: (n: number) => OfferedDays): Promise<string[]> => {
  const [testApp] = servers;
  if (!testApp) throw new Error('There are two servers');
  const listingId = await createDealClient(testApp).list(seller, { title: `Desk ${randomUUID()}`, ...form });
  return insertOffers(sql, {
    listingId,
    sellerId: seller.userId,
    count: dealCount,
    toDays,
    now: clock.now(),
  });
};

/** Accepts all offers concurrently, half of them in each process. Returns the number of responses by status. */
const acceptAll = async (ids: string[]): Promise<Record<number, number>> => {
  const clients = servers.map(createDealClient);
  const statuses = await Promise.all(
    ids.map(async (id, index) => (await clients[index % 2]?.take(seller, { id }, 'accept'))?.status ?? 0),
  );
  const counts: Record<number, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const countHolds = async (ids: string[]): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`
    SELECT count(*) FROM deals WHERE id = ANY (${ids}::uuid[]) AND state = 'held'`;
  return row?.count ?? 0;
};

describe('promise 62: of 50 offers accepted at once through two processes, one wins', () => {
  test('for a sale', async () => {
    const ids = await createOffers({ price: 20 }, () => [null, null]);
    expect(await acceptAll(ids)).toEqual({ 200: 1, 409: dealCount - 1 });
    expect(await countHolds(ids)).toBe(1);
  });

  test('for rentals that all overlap by at least one day', async () => {
    const form = { category: 'rentals', price: 20 };
    const ids = await createOffers(form, (n) =>
      n % 2 === 0 ? ['2026-03-10', '2026-03-12'] : ['2026-03-12', '2026-03-14'],
    );
    expect(await acceptAll(ids)).toEqual({ 200: 1, 409: dealCount - 1 });
    expect(await countHolds(ids)).toBe(1);
  });
});

test('promise 62: database constraints refuse a second hold and overlapping rentals', async () => {
  const ids = await createOffers({ price: 20 }, () => [null, null]);
  const holdAll = (deals: string[]) =>
    sql`UPDATE deals SET state = 'held', turn = NULL WHERE id = ANY (${deals}::uuid[])`.catch(
      (error: { constraint: string }) => error.constraint,
    );
  expect(await holdAll(ids.slice(0, 2))).toBe('deals_one_hold');
  const rentals = await createOffers({ category: 'rentals', price: 20 }, () => ['2026-03-10', '2026-03-12']);
  expect(await holdAll(rentals.slice(0, 2))).toBe('deals_one_rental_at_a_time');
});

test('promise 64: deadlines that passed while no server ran take effect once, with two processes', async () => {
  const ids = await createOffers({ price: 20 }, () => [null, null]);
  clock.advance(100 * 3600);
  const run = () => Promise.all(servers.map((testApp) => testApp.jobs.repeatNow('apply-deal-deadlines')));
  await run();
  await run();
  const states = await sql`
    SELECT d.state, d.number, count(m.id)::int AS lines FROM deals d
    LEFT JOIN messages m ON m.conversation_id = d.conversation_id
    WHERE d.id = ANY (${ids}::uuid[]) GROUP BY d.id, d.state, d.number`;
  expect(states).toHaveLength(dealCount);
  for (const row of states) expect(row).toEqual({ state: 'expired', number: 2, lines: 1 });
});
