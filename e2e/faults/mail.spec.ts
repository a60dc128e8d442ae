import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { Mail } from '#server/mail/mailer.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { json } from '#server/platform/postgres/sql-fragments.ts';
import { decrypt, encrypt, loadSecrets } from '#server/platform/secrets.ts';
import { type MailProxy, openMailProxy } from '../support/mail-proxy.ts';
import { takeVerificationCode } from '../support/mail-server.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { type QuadServer, startQuad } from '../support/quad-server.ts';
import { createAccount } from '../support/sign-in.ts';
import { test } from '../support/test.ts';
import { createPostRequest, type ProbeResult, sendProbe, waitForCondition } from './probes.ts';

/**
 * Maximum response time in ms. It is shorter than the timeout for the mail server's greeting (10
 * s), so a request that waits for the mail server fails the test.
 */
const maxResponseMs = 5_000;
const password = 'word-and-1234';
/** Each test uses its own account, because an address gets at most one email in 30 seconds. */
const registeredEmails = ['first@usc.edu', 'second@usc.edu'] as const;

let mailProxy: MailProxy;
let database: Postgres;
let quadServer: QuadServer;
let sql: Sql;
test.beforeAll(async () => {
  mailProxy = await openMailProxy();
  database = await startPostgres();
  quadServer = await startQuad({ QUAD_DATABASE_URL: database.url, QUAD_SMTP_URL: mailProxy.url });
  sql = openDatabase(database.url, { max: 1 });
  await mailProxy.forwardTo(quadServer.mail.url);
  for (const email of registeredEmails) await createAccount(quadServer, email);
});
test.afterAll(async () => {
  await sql?.end();
  await quadServer?.stop();
  await mailProxy?.cut();
  await database?.close();
});

const signUp = (email: string): Promise<ProbeResult> =>
  sendProbe(
    quadServer,
    'sign-up',
    '/functions/v1/signup',
    createPostRequest({ email, password, fullName: 'New' }),
  );

/** Sends several requests concurrently. Some of them cause an email, the others do not. */
const sendMixedRequests = (emails: string[], email: string): Promise<ProbeResult[]> =>
  Promise.all([
    ...emails.map(signUp),
    sendProbe(quadServer, 'forgotten', '/functions/v1/forgot-password', createPostRequest({ email })),
    sendProbe(
      quadServer,
      'forgotten by nobody',
      '/functions/v1/forgot-password',
      createPostRequest({ email: 'nobody@usc.edu' }),
    ),
    sendProbe(quadServer, 'page', `/search?q=${randomUUID()}`),
    sendProbe(quadServer, 'list', '/rest/v1/listings?limit=24'),
    sendProbe(quadServer, 'readyz', '/readyz'),
  ]);

const expectFastSuccess = (answers: ProbeResult[]): void => {
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.filter(({ ms }) => ms > maxResponseMs)).toEqual([]);
};

const createEmailAddresses = (count: number): string[] =>
  Array.from({ length: count }, () => `${randomUUID()}@usc.edu`);

test('promise 39: while the mail server is down requests stay fast, and the mail arrives when it is back', async () => {
  await mailProxy.cut();
  const emails = createEmailAddresses(5);
  expectFastSuccess(await sendMixedRequests(emails, registeredEmails[0]));
  await mailProxy.forwardTo(quadServer.mail.url);
  for (const email of emails) {
    const code = await takeVerificationCode(quadServer.mail, email);
    const answer = await sendProbe(
      quadServer,
      'verify',
      '/functions/v1/verify-otp',
      createPostRequest({ email, code }),
    );
    expect(answer.status).toBe(200);
  }
  expect((await quadServer.mail.take(registeredEmails[0])).text).toBeTruthy();
  expect(quadServer.mail.arrived.filter(({ to }) => to === 'nobody@usc.edu')).toEqual([]);
});

test('promise 39: while the mail server hangs requests and shutdown stay fast, and the mail arrives later', async () => {
  await mailProxy.hang();
  const emails = createEmailAddresses(8);
  expectFastSuccess(await sendMixedRequests(emails, registeredEmails[1]));
  // The server delivers at most five emails concurrently. Even when all five deliveries hang, other
  // requests must be fast.
  await waitForCondition(() => mailProxy.hanging() >= 5, 10_000);
  const [late] = createEmailAddresses(1) as [string];
  expectFastSuccess([await signUp(late), await sendProbe(quadServer, 'page', '/search?q=late')]);

  const begun = performance.now();
  expect(await quadServer.terminate()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(10_000);
  await mailProxy.forwardTo(quadServer.mail.url);
  await quadServer.start();
  for (const email of [...emails, late]) await takeVerificationCode(quadServer.mail, email);
});

test('promise 39: a code that expired while the mail server was down is never sent', async () => {
  await mailProxy.cut();
  const [late, next] = createEmailAddresses(2) as [string, string];
  expectFastSuccess([await signUp(late)]);
  // Moves the expiry of the queued email into the past, instead of waiting for ten minutes.
  const { pepper } = await loadSecrets(quadServer.dataDir);
  const queued = await sql<{ id: string; sealed: string }[]>`
    SELECT id, data->>'sealed' AS sealed FROM pgboss.job WHERE name = 'mail' AND state <> 'completed'`;
  const mails = queued.map(({ id, sealed }) => ({ id, mail: JSON.parse(decrypt(pepper, sealed)) as Mail }));
  const found = mails.find(({ mail }) => mail.to === late);
  if (!found) throw new Error('No letter is queued');
  const sealed = encrypt(pepper, JSON.stringify({ ...found.mail, expiresAt: new Date().toISOString() }));
  // Change the email between two attempts to send it, because an attempt that is under way would still send
  // the old content.
  await waitForCondition(async () => {
    const { count } = await sql`
      UPDATE pgboss.job SET data = ${json({ sealed })} WHERE id = ${found.id} AND state IN ('created', 'retry')`;
    return count === 1;
  }, 30_000);

  await mailProxy.forwardTo(quadServer.mail.url);
  expectFastSuccess([await signUp(next)]);
  await takeVerificationCode(quadServer.mail, next);
  const isOver = async () => {
    const [job] = await sql`SELECT state FROM pgboss.job WHERE id = ${found.id}`;
    return job === undefined || job.state === 'completed';
  };
  await waitForCondition(isOver, 30_000);
  expect(quadServer.mail.arrived.filter(({ to }) => to === late)).toEqual([]);
});
