/**
 * `npm run chaos`: kills the server 100 times and PostgreSQL 20 times while 100,000 messages are sent. For other numbers:
 * `npm run chaos -- <messages> <server kills> <database kills>`.
 */
import { startQuad } from '../support/quad.ts';
import { runChaos } from './chaos.ts';

const [messages = 100_000, serverKills = 100, databaseKills = 20] = process.argv.slice(2).map(Number);
const conversations = 10;

const quad = await startQuad();
try {
  const verdict = await runChaos(quad, {
    conversations,
    messagesEach: Math.ceil(messages / (2 * conversations)),
    serverKills,
    databaseKills,
    say: (line) => process.stdout.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(verdict)}\nNothing was lost, doubled or out of order.\n`);
} finally {
  await quad.stop();
}
