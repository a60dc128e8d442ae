import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { type DealState, dealStates } from '#contract/deal-states.ts';
import type { Deal } from '#contract/deals.ts';
import { addDefaultMeetingSpots } from '#server/features/handovers/public.ts';
import { findPublicProfile } from '#server/features/profiles/public-profile-repository.ts';
import { createDiskFileStore } from '#server/platform/files/files.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { assertReplayMatchesState } from '#server/testing/deal-replay.ts';
import { passThroughImageProcessor } from '#server/testing/unprocessed-images.ts';
import { deriveDemoId } from './ids.ts';
import { seedDemoCampus } from './seed.ts';

let database: TestDatabase;
let sql: Sql;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 2 });
  folder = await mkdtemp(join(tmpdir(), 'quad-demo-deals-'));
});
afterEach(async () => {
  await sql.end();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const seed = async (start: Date): Promise<void> => {
  await addDefaultMeetingSpots(sql, defaultCampus);
  await seedDemoCampus({
    sql,
    files: createDiskFileStore({ root: folder }),
    clock: createTestClock(start),
    campus: defaultCampus,
    passwordHash: async () => 'hash',
    grantsRoles: true,
    images: [passThroughImageProcessor],
    uploads: join(folder, 'uploads'),
  });
};

const getDemoId = (name: string): string => deriveDemoId(`demo.${name}@${defaultCampus.domain}`);

type StoredDeal = Pick<Deal, 'kind' | 'state' | 'turn' | 'waiting' | 'position'> & {
  deadline_at: Date | null;
  is_waiting: boolean;
  buyer_id: string;
  seller_id: string;
  handover_at: Date | null;
  reported: string | null;
  is_contested: boolean;
  created_at: Date;
  listed_at: Date;
};

const listDeals = (): Promise<StoredDeal[]> => sql<StoredDeal[]>`
  SELECT d.*, l.created_at AS listed_at FROM deals d JOIN listings l ON l.id = d.listing_id`;

// Starting times around midnight on the campus (8:00 UTC in standard time), and on the two dates on which the
// clocks change.
test.each([
  '2026-03-02T08:05:00.000Z',
  '2026-03-03T07:55:00.000Z',
  '2026-03-09T06:30:00.000Z',
  '2026-11-01T16:00:00.000Z',
])(
  'a demo campus of %s has deals in every state, none past its deadline, with matching event lines',
  async (now) => {
    const start = new Date(now);
    await seed(start);
    const deals = await listDeals();
    expect(new Set(deals.map(({ state }) => state))).toEqual(new Set<DealState>(dealStates));
    expect(new Set(deals.map(({ kind }) => kind))).toEqual(new Set(['sale', 'gift', 'rental']));
    for (const { deadline_at: deadline, created_at: created, listed_at: listed } of deals) {
      expect(created > listed).toBe(true);
      if (deadline) expect(deadline > start).toBe(true);
    }
    for (const { id } of await sql<{ id: string }[]>`SELECT id FROM listings`)
      await assertReplayMatchesState(sql, id);
    const [newest] = await sql<{ at: Date }[]>`SELECT max(created_at) AS at FROM messages`;
    expect(newest && newest.at < start).toBe(true);
    const mismatched = await sql`
      SELECT title FROM listings l WHERE category <> 'rentals' AND is_on_hold <> EXISTS (
        SELECT FROM deals WHERE listing_id = l.id AND state IN ('held', 'handed_over'))`;
    expect(mismatched).toEqual([]);
    const mailed = await sql`
      SELECT 1 FROM conversations WHERE buyer_waiting_since IS NOT NULL OR seller_waiting_since IS NOT NULL`;
    expect(mailed, 'conversations with an email to send').toHaveLength(0);
    const noticed = await sql`SELECT 1 FROM deals WHERE next_notice_at <= ${start}`;
    expect(noticed, 'deals with an email to send').toHaveLength(0);
  },
);

test('the first account has purchases and sales, unanswered reviews, and a complete public profile', async () => {
  const start = new Date('2026-03-02T20:00:00.000Z');
  await seed(start);
  const deals = await listDeals();
  const maya = getDemoId('maya');
  const bought = deals.filter(({ buyer_id }) => buyer_id === maya);
  const sold = deals.filter(({ seller_id }) => seller_id === maya);
  const states = (list: StoredDeal[]) => new Set(list.map(({ state }) => state));
  expect(states(bought)).toEqual(new Set(dealStates.filter((state) => state !== 'back')));
  expect(states(sold)).toEqual(new Set(['offered', 'held', 'completed', 'declined', 'withdrawn', 'expired']));
  for (const list of [bought, sold])
    expect(new Set(list.filter(({ state }) => state === 'offered').map(({ turn }) => turn))).toEqual(
      new Set(['buyer', 'seller']),
    );
  expect(bought.filter(({ is_waiting: isWaiting }) => isWaiting).length).toBeGreaterThan(2);
  // One handover must be due within the next hour, and in one deal a party must have reported its arrival at
  // the handover.
  const inAnHour = new Date(start.getTime() + 3_600_000);
  expect(bought.some(({ handover_at: at }) => at && at > start && at <= inAnHour)).toBe(true);
  expect(bought.some(({ reported }) => reported === 'seller')).toBe(true);
  expect(bought.some(({ is_contested: isContested }) => isContested)).toBe(true);

  // Public profiles show a statistic only when it is based on enough data, so the demo campus must contain
  // enough.
  for (const name of ['maya', 'zoe']) {
    const profile = await findPublicProfile(sql, getDemoId(name), start);
    expect(profile, name).toMatchObject({ deals_kept: 100, bio: expect.stringMatching(/./) });
    expect(profile?.review_count, name).toBeGreaterThanOrEqual(2);
    expect(profile?.rating, name).toBeGreaterThanOrEqual(4);
    expect(profile?.completed_trades, name).toBeGreaterThanOrEqual(2);
    expect(profile?.response_time, name).not.toBeNull();
  }
  const waiting = await sql<{ author_id: string; subject_id: string }[]>`
    SELECT author_id, subject_id FROM reviews WHERE public_at > ${start}`;
  expect(waiting.some(({ author_id: author }) => author === maya)).toBe(true);
  expect(waiting.some(({ subject_id: subject }) => subject === maya)).toBe(true);
});

test('a rental that is out has photos of its pick-up, and a returned one also of its return', async () => {
  await seed(new Date('2026-03-02T20:00:00.000Z'));
  const photos = await sql<{ state: string; steps: string[] }[]>`
    SELECT d.state, array_agg(o.deal_step ORDER BY o.deal_step) AS steps
    FROM deals d JOIN private.objects o ON o.deal_id = d.id JOIN messages m ON m.id = o.message_id
    WHERE m.message_text LIKE 'Photos at %' GROUP BY d.id ORDER BY d.state`;
  expect([...photos]).toEqual([
    { state: 'completed', steps: ['pick_up', 'return'] },
    { state: 'out', steps: ['pick_up'] },
  ]);
});
