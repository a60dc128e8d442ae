/**
 * `npm run chaos`: kills the server 100 times and PostgreSQL 20 times while 100,000 messages are sent and
 * deals are made. For other numbers: `npm run chaos -- <messages> <server kills> <database kills>`.
 */
import { startQuad } from '../support/quad-server.ts';
import { runChaos } from './chaos.ts';

const [messages = 100_000, serverKills = 100, databaseKills = 20] = process.argv.slice(2).map(Number);
const conversationCount = 10;

const quadServer = await startQuad();
try {
  const verdict = await runChaos(quadServer, {
    conversations: conversationCount,
    messagesEach: Math.ceil(messages / (2 * conversationCount)),
    serverKills,
    databaseKills,
    say: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(verdict)}\nNothing was lost, doubled or out of order.\n`);
} finally {
  await quadServer.stop();
}
