/**
 * Measures how fast messages are stored, compared with a server that stores them with minimal hand-written SQL. Both run
 * in their own processes on the same database; 32 connections send messages to 32 conversations.
 */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';
import { addReader, signIn } from './people.ts';
import { compareServers, comparisonHeader, recordComparison } from './race.ts';

const minRatio = 0.8;
const conversationCount = 32;
const writerEmail = 'writer@usc.edu';
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

const environment = await openBenchEnvironment(async (sql) => {
  await generateListings(sql, 1000);
  const userId = await addReader(sql, writerEmail, conversationCount);
  return { userId, rows: await sql<{ id: string }[]>`SELECT id FROM conversations` };
});
try {
  const { userId, rows } = environment.seeded;
  // RATE_LIMITS is off, because the limits would reject this many messages.
  const quad = await environment.spawnQuad({ NODE_ENV: 'development', RATE_LIMITS: 'off' });
  const baseline = await environment.spawnBaseline('bench/baseline-sends.ts', [
    environment.databaseUrl,
    userId,
  ]);
  const headers = { authorization: `Bearer ${await signIn(quad.origin, writerEmail)}` };
  const post = () => ({ client_id: randomUUID(), message_text: 'Could we meet on Friday at four?' });
  let turn = 0;
  const path = () => `/rest/v1/conversations/${rows[turn++ % rows.length]?.id}/messages`;

  printLine(`${availableParallelism()} cores, 32 connections, ${conversationCount} conversations`);
  printLine(comparisonHeader);
  printLine(
    recordComparison('sends', await compareServers([quad, baseline], { path, headers, post }), minRatio),
  );
} finally {
  await environment.close();
}
