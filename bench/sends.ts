/**
 * How fast messages are stored, compared with a hand-written server with the leanest SQL that does the same. Both run in
 * their own processes on one database; 32 people write, each in a different conversation.
 */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';
import { addReader, signIn } from './people.ts';
import { race, raceHead, raceLine } from './race.ts';

const goal = 0.8;
const talks = 32;
const writer = 'writer@usc.edu';
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const environment = await openBenchEnvironment(async (sql) => {
  await generateListings(sql, 1000);
  const userId = await addReader(sql, writer, talks);
  return { userId, rows: await sql<{ id: string }[]>`SELECT id FROM conversations` };
});
try {
  const { userId, rows } = environment.seeded;
  // Rate limits would refuse this many messages.
  const quad = await environment.spawnQuad({ NODE_ENV: 'development', RATE_LIMITS: 'off' });
  const baseline = await environment.spawnBaseline('bench/baseline-sends.ts', [
    environment.databaseUrl,
    userId,
  ]);
  const headers = { authorization: `Bearer ${await signIn(quad.origin, writer)}` };
  const post = () => ({ client_id: randomUUID(), message_text: 'Could we meet on Friday at four?' });
  let turn = 0;
  const path = () => `/rest/v1/conversations/${rows[turn++ % rows.length]?.id}/messages`;

  say(`${availableParallelism()} cores, 32 connections, ${talks} conversations`);
  say(raceHead);
  say(raceLine('sends', await race([quad, baseline], { path, headers, post }), goal));
} finally {
  await environment.close();
}
