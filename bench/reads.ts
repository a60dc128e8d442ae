/**
 * `npm run bench:reads`: how fast reads are answered that no cache helps, beside a bare `node:http` server that sends the
 * rows of the same statements over the same driver. Both are processes of their own; the load comes from this one.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashPassword } from '#server/accounts/passwords.ts';
import { openDatabase, type Sql } from '#server/platform/database.ts';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { silentLog } from '#server/platform/log.ts';
import { migrateDatabase } from '#server/platform/migrations.ts';
import { generateListings } from './generate.ts';
import { race, raceHead, raceLine } from './race.ts';
import { recordReads } from './recorded-reads.ts';
import { type Spawned, spawnServer } from './spawned.ts';

const goal = 0.7;
const listings = 20_000;
const talks = 30;
const reader = { email: 'reader@usc.edu', password: 'a-reader-of-much-1' };
const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** Somebody with an inbox; answers their id. */
const addReader = async (sql: Sql): Promise<string> => {
  const id = randomUUID();
  await sql`
    INSERT INTO users (id, email, full_name, created_at, updated_at)
    VALUES (${id}, ${reader.email}, 'Rita Reader', now(), now())`;
  await sql`
    INSERT INTO private.credentials (user_id, password_hash, confirmed_at, updated_at)
    VALUES (${id}, ${await hashPassword(reader.password)}, now(), now())`;
  await sql`
    WITH talks AS (
      INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at, last_seq)
      SELECT id, title, ${id}, user_id, now(), created_at, 1 FROM listings WHERE status = 'published'
      ORDER BY created_at DESC LIMIT ${talks}
      RETURNING id
    )
    INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
    SELECT id, 1, ${id}, gen_random_uuid(), 'Is it still available, and could we meet on Friday?', now() FROM talks`;
  return id;
};

const signIn = async (origin: string): Promise<string> => {
  const post = async (path: string, body: object) => {
    const answer = await fetch(origin + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as { authPassword: string; access_token: string };
  };
  const { authPassword } = await post('/functions/v1/login-password', reader);
  const { email } = reader;
  const grant = await post('/auth/v1/token?grant_type=password', { email, password: authPassword });
  return grant.access_token;
};

const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const database = await startEmbeddedDatabase({ dataDir: join(dataDir, 'database'), log: silentLog });
const running: Spawned[] = [];
try {
  await migrateDatabase({ databaseUrl: database.url, log: silentLog });
  const sql = openDatabase(database.url, { max: 2 });
  await generateListings(sql, listings);
  const userId = await addReader(sql);
  const [subject] = await sql<{ slug: string }[]>`
    SELECT slug FROM listings WHERE status = 'published' AND photos <> '{}' LIMIT 1`;
  await sql`VACUUM ANALYZE`;
  await sql.end();
  const slug = subject?.slug ?? '';
  const recorded = await recordReads(database.url, { slug, userId });

  const env = { DATABASE_URL: database.url, DATA_DIR: join(dataDir, 'quad') };
  const quad = await spawnServer('server/main.ts', { env, ready: '/readyz' });
  running.push(quad);
  const args = [database.url, JSON.stringify(recorded)];
  const bare = await spawnServer('bench/bare-reads.ts', { env: {}, args, ready: '/' });
  running.push(bare);

  const headers = { authorization: `Bearer ${await signIn(quad.origin)}` };
  const names = ['latest', 'category', 'detail', 'inbox'];
  say(
    `${availableParallelism()} cores, 32 connections, ${listings} listings; processor time is the server's`,
  );
  say(raceHead);
  for (const [place, path] of Object.keys(recorded).entries()) {
    say(raceLine(names[place] ?? path, await race([quad, bare], path, headers), goal));
  }
} finally {
  for (const server of running.reverse()) await server.stop();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
