/**
 * `npm run bench:reads`: how fast reads are answered that no cache helps, beside a bare `node:http` server that sends the
 * rows of the same statements over the same driver. Both are processes of their own; the load comes from this one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#server/platform/database.ts';
import { startEmbeddedDatabase } from '#server/platform/embedded-database.ts';
import { silentLog } from '#server/platform/log.ts';
import { migrateDatabase } from '#server/platform/migrations.ts';
import { generateListings } from './generate.ts';
import { addReader, signIn } from './people.ts';
import { race, raceHead, raceLine } from './race.ts';
import { recordReads } from './recorded-reads.ts';
import { type Spawned, spawnServer } from './spawned.ts';

const goal = 0.7;
const listings = 20_000;
const talks = 30;
const reader = 'reader@usc.edu';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const database = await startEmbeddedDatabase({ dataDir: join(dataDir, 'database'), log: silentLog });
const running: Spawned[] = [];
try {
  await migrateDatabase({ databaseUrl: database.url, log: silentLog });
  const sql = openDatabase(database.url, { max: 2 });
  await generateListings(sql, listings);
  const userId = await addReader(sql, reader, talks);
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

  const headers = { authorization: `Bearer ${await signIn(quad.origin, reader)}` };
  const names = ['latest', 'category', 'detail', 'inbox'];
  say(
    `${availableParallelism()} cores, 32 connections, ${listings} listings; processor time is the server's`,
  );
  say(raceHead);
  for (const [place, path] of Object.keys(recorded).entries()) {
    say(raceLine(names[place] ?? path, await race([quad, bare], { path, headers }), goal));
  }
} finally {
  for (const server of running.reverse()) await server.stop();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
