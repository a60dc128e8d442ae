/**
 * Measures how fast messages are stored, compared with a server that stores them with minimal hand-written SQL. Both run
 * in their own processes on the same database; 32 connections send messages to 32 conversations.
 */
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { compareServers, comparisonTableHeader, recordComparison } from './compare-servers.ts';
import { openBenchEnvironment } from './environment.ts';
import { generateListings } from './generate.ts';
import { addUserWithConversations, signIn } from './people.ts';

const minThroughputRatio = 0.8;
const conversationCount = 32;
const senderEmail = 'writer@usc.edu';
const printLine = (line: string): void => void process.stdout.write(`${line}\n`);

const environment = await openBenchEnvironment(async (sql) => {
  await generateListings(sql, 1000);
  const userId = await addUserWithConversations(sql, senderEmail, conversationCount);
  return { userId, rows: await sql<{ id: string }[]>`SELECT id FROM conversations` };
});
try {
  const { userId, rows } = environment.seeded;
  // Rate limits are off, because a single user sends all messages and would exceed the limit per minute.
  const quad = await environment.spawnQuad({ NODE_ENV: 'development', QUAD_RATE_LIMITS: 'off' });
  const baseline = await environment.spawnBaseline('bench/baseline-sends.ts', [
    environment.databaseUrl,
    userId,
  ]);
  const headers = { authorization: `Bearer ${await signIn(quad.origin, senderEmail)}` };
  const post = () => ({ client_id: randomUUID(), message_text: 'Could we meet on Friday at four?' });
  let turn = 0;
  const path = () => `/rest/v1/conversations/${rows[turn++ % rows.length]?.id}/messages`;

  printLine(`${availableParallelism()} cores, 32 connections, ${conversationCount} conversations`);
  printLine(comparisonTableHeader);
  printLine(
    recordComparison(
      'sends',
      await compareServers([quad, baseline], { path, headers, post }),
      minThroughputRatio,
    ),
  );
} finally {
  await environment.close();
}
