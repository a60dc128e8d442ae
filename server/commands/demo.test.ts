import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { seedDemoCampus } from '#server/demo/seed.ts';
import { createPostgresBus } from '#server/platform/bus/bus-postgres.ts';
import { systemClock } from '#server/platform/clock.ts';
import { createDiskFileStore } from '#server/platform/files/files.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { runCommand } from '#server/testing/run-command.ts';
import { passThroughImageProcessor } from '#server/testing/unprocessed-images.ts';

let database: TestDatabase;
let sql: Sql;
let dataDir: string;

const runDemoCommand = (args: string[], settings: Record<string, string> = {}) =>
  runCommand('demo', args, { QUAD_DATA_DIR: dataDir, QUAD_DATABASE_URL: database.url, ...settings });

beforeAll(async () => {
  database = await createTestDatabase();
  sql = openDatabase(database.url, { max: 3 });
  dataDir = await mkdtemp(join(tmpdir(), 'quad-demo-command-'));
  await seedDemoCampus({
    sql,
    files: createDiskFileStore({ root: join(dataDir, 'files') }),
    clock: systemClock,
    campus: { ...defaultCampus, domain: 'earlier.edu' },
    passwordHash: async () => 'hash',
    grantsRoles: true,
    images: [passThroughImageProcessor],
    uploads: join(dataDir, 'uploads'),
  });
  // A real person who wrote to a demo account and whose email address resembles a demo account's.
  await sql`
    INSERT INTO users (email, full_name, created_at, updated_at)
    VALUES ('demo.real@usc.edu', 'Remy Real', now(), now())`;
  await sql`
    INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, last_seq, created_at, updated_at)
    SELECT listings.id, listings.title, users.id, listings.user_id, 1, now(), now()
    FROM users, listings WHERE email = 'demo.real@usc.edu' AND status = 'published' ORDER BY slug LIMIT 1`;
  await sql`
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
    SELECT conversations.id, 1, buyer_id, gen_random_uuid(), 'Still there?', now()
    FROM conversations JOIN users ON users.id = buyer_id WHERE email = 'demo.real@usc.edu'`;
  await sql`
    INSERT INTO private.forms (id, kind, email, content, created_at)
    VALUES (gen_random_uuid(), 'contact', 'demo.real@usc.edu', '{"message": "Hello"}', now())`;
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  await rm(dataDir, { recursive: true });
});

test('promise 50: a command removes the demo campus, reports what it removed, and affects nobody else', {
  timeout: 120_000,
}, async () => {
  const [before] = await sql<
    { listings: number; photos: number; conversations: number; quoted_photos: number }[]
  >`
    SELECT (SELECT count(*) FROM listings) AS listings, (SELECT count(*) FROM private.objects) AS photos,
      (SELECT count(*) FROM conversations) AS conversations,
      (SELECT sum(photo_count)::int FROM private.moderation_quotes) AS quoted_photos`;
  const rentals = await sql<{ id: string }[]>`
    SELECT id::text FROM deals WHERE kind = 'rental' AND state IN ('handed_over', 'out', 'back') ORDER BY id::text`;
  expect(rentals.length).toBeGreaterThan(0);
  const bus = await createPostgresBus(sql, silentLog, { publishes: false });
  const received: string[] = [];
  bus.subscribe(({ kind }) => received.push(kind));

  const { code, out, err } = await runDemoCommand(['remove']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toContain(
    `Removed 16 demo accounts with ${before?.listings} listings, ${before?.photos} photos, ${Number(before?.conversations) - 1} conversations.\n`,
  );
  // The command makes running servers drop their cached pages, which show the removed listings.
  await expect.poll(() => received).toContain('pages_changed');
  await bus.close();

  expect(await sql`SELECT email FROM users`).toEqual([{ email: 'demo.real@usc.edu' }]);
  expect(await sql`SELECT 1 FROM listings`).toHaveLength(0);
  expect(await sql`SELECT 1 FROM private.objects`).toHaveLength(0);
  expect(await sql`SELECT 1 FROM sale_price_ranges WHERE is_shown`).toHaveLength(0);
  expect(await sql`SELECT message_text FROM messages`).toEqual([{ message_text: 'Still there?' }]);
  expect(await sql`SELECT 1 FROM private.moderation_cases`).toHaveLength(0);
  expect(await sql`SELECT email FROM private.forms`).toEqual([{ email: 'demo.real@usc.edu' }]);
  const [copies] = await sql<{ files: number }[]>`
    SELECT sum(jsonb_array_length(data->'keys'))::int AS files FROM pgboss.job WHERE name = 'remove-quoted-photos'`;
  expect(copies?.files).toBe(before?.quoted_photos);
  expect(copies?.files).toBeGreaterThan(3);
  const [queued] = await sql<{ files: number }[]>`
    SELECT sum(jsonb_array_length(data->'urls'))::int AS files FROM pgboss.job WHERE name = 'remove-files'`;
  expect(queued?.files).toBe(before?.photos);
  const auditEntries = await sql`SELECT 1 FROM private.security_events
    WHERE event = 'account_deleted' AND actor LIKE 'shell:_%' AND reason = 'demo campus removed'`;
  expect(auditEntries).toHaveLength(16);
  // The command must have ended the unreturned rentals in the same way as an administrator would, with an
  // audit entry for each.
  expect(
    await sql`SELECT DISTINCT detail AS id FROM private.security_events WHERE event = 'rental_ended' ORDER BY id`,
  ).toEqual(rentals);

  expect(await runDemoCommand(['remove'])).toEqual({
    code: 0,
    out: 'There is no demo campus in this database.\n',
    err: '',
  });
});

test.each([[[]], [['add']], [['remove', 'all']]])('%j prints the usage', async (args) => {
  const { code, err } = await runDemoCommand(args);
  expect(code).toBe(2);
  expect(err).toMatch(/^Usage: quad demo |Usage: quad demo remove /m);
});
