import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Message } from '#contract/conversations.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { createTestConversations, type TestConversation } from '../chaos/test-conversations.ts';
import { type MessageReader, startReader } from '../chaos/writers-and-readers.ts';
import { callApi } from '../support/students.ts';
import { test } from '../support/test.ts';
import {
  fetchReadinessStatus,
  type ProbeResult,
  sendAllProbes,
  sendProbe,
  waitForCondition,
} from './probes.ts';
import { type ServerPair, startServerPair } from './server-pair.ts';

/** Maximum response time in ms while PostgreSQL is unavailable, as stated in docs/operations.md. */
const maxResponseMs = 6_000;
/**
 * Maximum number of database connections of the two server processes together. Each process has two
 * connection pools, and separate connections for the job queue, LISTEN and the health check.
 */
const maxDatabaseConnections = 60;

const allowedErrorCodes = ['unavailable', 'unexpected_failure'];

const hasErrorFormat = ({ what, body, type }: ProbeResult): boolean => {
  if (what.startsWith('page')) return type.startsWith('text/html') && body.includes('please retry shortly');
  const form = JSON.parse(body) as Record<string, string>;
  return [form.code, form.error_code].some((code) => code !== undefined && allowedErrorCodes.includes(code));
};

/**
 * Expects that every request was answered with status 503, in the error format, within
 * `maxResponseMs`.
 */
const expectUnavailable = (answers: ProbeResult[]): void => {
  expect(answers.filter(({ status }) => status !== 503)).toEqual([]);
  expect(answers.filter((answer) => !hasErrorFormat(answer))).toEqual([]);
  expect(answers.filter(({ ms }) => ms > maxResponseMs)).toEqual([]);
};

/**
 * Expects that both server processes handle requests again, and that a message sent through one
 * process is delivered live by the other.
 */
const expectRecovery = async (
  { first, second, database }: ServerPair,
  talk: TestConversation,
  reader: MessageReader,
) => {
  await waitForCondition(
    async () => (await fetchReadinessStatus(first)) === 200 && (await fetchReadinessStatus(second)) === 200,
    15_000,
  );
  for (const quad of [first, second]) {
    const answers = await sendAllProbes(quad, talk, 1000);
    expect(answers.filter(({ status }) => status === 0 || status >= 500)).toEqual([]);
  }
  const sent = await callApi<Message>(first, `/rest/v1/conversations/${talk.conversationId}/messages`, {
    token: talk.parties[0].token,
    body: { client_id: randomUUID(), message_text: 'And again' },
  });
  await waitForCondition(() => reader.received.some(({ id }) => id === sent.id), 15_000);
  const seqs = reader.received.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(seqs).size).toBe(seqs.length);
  // Background jobs must run again too, so that a new account receives its verification code.
  const email = `${randomUUID()}@usc.edu`;
  await callApi<unknown>(first, '/functions/v1/signup', {
    body: { email, password: 'word-and-1234', fullName: 'New' },
  });
  await first.mail.take(email);

  const sql = openDatabase(database.url, { max: 1 });
  try {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()`;
    expect(row?.count).toBeLessThanOrEqual(maxDatabaseConnections);
  } finally {
    await sql.end();
  }
};

let serverPair: ServerPair;
let conversation: TestConversation;
let messageReader: MessageReader;
test.beforeAll(async () => {
  serverPair = await startServerPair();
  [conversation] = (await createTestConversations(serverPair.first, 1)) as [TestConversation];
  messageReader = startReader(serverPair.second, conversation, conversation.parties[1]);
});
test.afterAll(async () => {
  messageReader?.close();
  await serverPair?.stop();
});

test('promise 38: while PostgreSQL is frozen every request gets 503 within 6 s, and service resumes by itself', async () => {
  const { first, database } = serverPair;
  expect((await sendProbe(first, 'home', '/')).status).toBe(200);

  database.freeze();
  const red = waitForCondition(async () => (await fetchReadinessStatus(first)) === 503, maxResponseMs);
  expectUnavailable(await sendAllProbes(first, conversation, 1));
  await red;
  expect(await fetchReadinessStatus(first)).toBe(503);
  expectUnavailable(await sendAllProbes(first, conversation, 2));
  // Cached pages must be served even without the database.
  const [cachedPage, alive] = [
    await sendProbe(first, 'home', '/'),
    await sendProbe(first, 'healthz', '/healthz'),
  ];
  expect([cachedPage.status, alive.status]).toEqual([200, 200]);

  database.thaw();
  await expectRecovery(serverPair, conversation, messageReader);
});

test('promise 38: while PostgreSQL is down every request gets 503 immediately, and service resumes by itself', async () => {
  const { first, database } = serverPair;
  await database.kill();
  await waitForCondition(async () => (await fetchReadinessStatus(first)) === 503, maxResponseMs);
  expectUnavailable(await sendAllProbes(first, conversation, 3));
  // All 200 concurrent requests must fail within `maxResponseMs`, so they must not wait for their
  // connection timeouts one after the other.
  expectUnavailable(
    await Promise.all(
      Array.from({ length: 200 }, () => sendProbe(first, 'list', '/rest/v1/listings?limit=1')),
    ),
  );
  expect((await sendProbe(first, 'healthz', '/healthz')).status).toBe(200);

  await database.start();
  await expectRecovery(serverPair, conversation, messageReader);
});
