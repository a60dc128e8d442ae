/**
 * How fast messages are stored, beside a bare `node:http` server with the same statement over the same driver. Both are
 * processes of their own on one database; 32 people write, each in a conversation of their own.
 */
import { randomUUID } from 'node:crypto';
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
import { type Spawned, spawnServer } from './spawned.ts';

const goal = 0.7;
const talks = 32;
const writer = 'writer@usc.edu';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));
const database = await startEmbeddedDatabase({ dataDir: join(dataDir, 'database'), log: silentLog });
const running: Spawned[] = [];
try {
  await migrateDatabase({ databaseUrl: database.url, log: silentLog });
  const sql = openDatabase(database.url, { max: 2 });
  await generateListings(sql, 1000);
  const userId = await addReader(sql, writer, talks);
  const rows = await sql<{ id: string }[]>`SELECT id FROM conversations`;
  await sql.end();
  const quad = await spawnServer('server/main.ts', {
    // Nobody may write so much.
    env: {
      ...{ DATABASE_URL: database.url, DATA_DIR: join(dataDir, 'quad') },
      ...{ NODE_ENV: 'development', RATE_LIMITS: 'off' },
    },
    ready: '/readyz',
  });
  running.push(quad);
  const bare = await spawnServer('bench/bare-sends.ts', {
    env: {},
    args: [database.url, userId],
    ready: '/',
  });
  running.push(bare);
  const headers = { authorization: `Bearer ${await signIn(quad.origin, writer)}` };
  const post = () => ({ client_id: randomUUID(), message_text: 'Could we meet on Friday at four?' });
  let turn = 0;
  const path = () => `/rest/v1/conversations/${rows[turn++ % rows.length]?.id}/messages`;

  say(`${availableParallelism()} cores, 32 connections, ${talks} conversations`);
  say(raceHead);
  say(raceLine('sends', await race([quad, bare], { path, headers, post }), goal));
} finally {
  for (const server of running.reverse()) await server.stop();
  await database.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
