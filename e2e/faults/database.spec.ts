import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import postgres from 'postgres';
import type { Message } from '#contract/conversations.ts';
import { openTalks, type Talk } from '../chaos/people.ts';
import { type Reader, startReader } from '../chaos/writers-and-readers.ts';
import { call } from '../support/students.ts';
import { type Pair, startPair } from './pair.ts';
import { type Answer, measureUntil, readiness, sendAllProbes, sendProbe } from './probes.ts';

/** Maximum response time when PostgreSQL fails, as promised in docs/operations.md. */
const maxResponseMs = 6_000;
/** Maximum connections of two processes: each has two pools, the job queue's, LISTEN, and the health check. */
const maxConnections = 60;

const codes = ['unavailable', 'unexpected_failure'];

const hasErrorFormat = ({ what, body, type }: Answer): boolean => {
  if (what.startsWith('page')) return type.startsWith('text/html') && body.includes('please retry shortly');
  const form = JSON.parse(body) as Record<string, string>;
  return [form.code, form.error_code].some((code) => code !== undefined && codes.includes(code));
};

/** Expects that every request has been answered with a 503 in the error format, in time. */
const expectRefused = (answers: Answer[]): void => {
  expect(answers.filter(({ status }) => status !== 503)).toEqual([]);
  expect(answers.filter((answer) => !hasErrorFormat(answer))).toEqual([]);
  expect(answers.filter(({ ms }) => ms > maxResponseMs)).toEqual([]);
};

/** Expects that both processes serve again, and that a message sent through one arrives live through the other. */
const expectRecovery = async ({ first, second, database }: Pair, talk: Talk, reader: Reader) => {
  await measureUntil(
    async () => (await readiness(first)) === 200 && (await readiness(second)) === 200,
    15_000,
  );
  for (const quad of [first, second]) {
    const answers = await sendAllProbes(quad, talk, 1000);
    expect(answers.filter(({ status }) => status === 0 || status >= 500)).toEqual([]);
  }
  const sent = await call<Message>(first, `/rest/v1/conversations/${talk.conversationId}/messages`, {
    token: talk.parties[0].token,
    body: { client_id: randomUUID(), message_text: 'And again' },
  });
  await measureUntil(() => reader.received.some(({ id }) => id === sent.id), 15_000);
  const seqs = reader.received.map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  expect(new Set(seqs).size).toBe(seqs.length);
  // Jobs run again: the email with the code of a new account is sent.
  const email = `${randomUUID()}@usc.edu`;
  await call<unknown>(first, '/functions/v1/signup', {
    body: { email, password: 'word-and-1234', fullName: 'New' },
  });
  await first.mail.take(email);

  const sql = postgres(database.url, { max: 1 });
  try {
    const [row] = await sql<{ count: number }[]>`
      SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database()`;
    expect(row?.count).toBeLessThanOrEqual(maxConnections);
  } finally {
    await sql.end();
  }
};

let pair: Pair;
let talk: Talk;
let reader: Reader;
test.beforeAll(async () => {
  pair = await startPair();
  [talk] = (await openTalks(pair.first, 1)) as [Talk];
  reader = startReader(pair.second, talk, talk.parties[1]);
});
test.afterAll(async () => {
  reader?.close();
  await pair?.stop();
});

test('promise 38: while PostgreSQL is frozen every request gets 503 within 6 s, and service resumes by itself', async () => {
  const { first, database } = pair;
  expect((await sendProbe(first, 'home', '/')).status).toBe(200);

  database.freeze();
  const red = measureUntil(async () => (await readiness(first)) === 503, maxResponseMs);
  expectRefused(await sendAllProbes(first, talk, 1));
  await red;
  expect(await readiness(first)).toBe(503);
  expectRefused(await sendAllProbes(first, talk, 2));
  // Cached pages are served without the database.
  const [cachedPage, alive] = [
    await sendProbe(first, 'home', '/'),
    await sendProbe(first, 'healthz', '/healthz'),
  ];
  expect([cachedPage.status, alive.status]).toEqual([200, 200]);

  database.thaw();
  await expectRecovery(pair, talk, reader);
});

test('promise 38: while PostgreSQL is down every request gets 503 immediately, and service resumes by itself', async () => {
  const { first, database } = pair;
  await database.kill();
  await measureUntil(async () => (await readiness(first)) === 503, maxResponseMs);
  expectRefused(await sendAllProbes(first, talk, 3));
  // 200 concurrent requests fail at once: their connection timeouts must not add up.
  expectRefused(
    await Promise.all(
      Array.from({ length: 200 }, () => sendProbe(first, 'list', '/rest/v1/listings?limit=1')),
    ),
  );
  expect((await sendProbe(first, 'healthz', '/healthz')).status).toBe(200);

  await database.start();
  await expectRecovery(pair, talk, reader);
});
