import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import postgres, { type Sql } from 'postgres';
import type { Mail } from '#server/mail/mailer.ts';
import { decrypt, encrypt, loadSecrets } from '#server/platform/secrets.ts';
import { type MailProxy, openMailProxy } from '../support/mail-proxy.ts';
import { readCode } from '../support/mail-server.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { type Quad, startQuad } from '../support/quad.ts';
import { openAccount } from '../support/sign-in.ts';
import { type Answer, measureUntil, sendProbe, toPostRequest } from './probes.ts';

/** Maximum response time; far below the 10 s timeout for the mail server's greeting, so that such a wait is noticed. */
const maxResponseMs = 5_000;
const password = 'word-and-1234';
/** Each test uses its own account, because an address gets at most one email in 30 seconds. */
const registeredEmails = ['first@usc.edu', 'second@usc.edu'] as const;

let proxy: MailProxy;
let database: Postgres;
let quad: Quad;
let sql: Sql;
test.beforeAll(async () => {
  proxy = await openMailProxy();
  database = await startPostgres();
  quad = await startQuad({ DATABASE_URL: database.url, SMTP_URL: proxy.url });
  sql = postgres(database.url, { max: 1 });
  await proxy.forwardTo(quad.mail.url);
  for (const email of registeredEmails) await openAccount(quad, email);
});
test.afterAll(async () => {
  await sql?.end();
  await quad?.stop();
  await proxy?.cut();
  await database?.close();
});

const signUp = (email: string): Promise<Answer> =>
  sendProbe(quad, 'sign-up', '/functions/v1/signup', toPostRequest({ email, password, fullName: 'New' }));

/** Concurrently sends requests that cause an email, and some that do not. */
const requestMail = (emails: string[], email: string): Promise<Answer[]> =>
  Promise.all([
    ...emails.map(signUp),
    sendProbe(quad, 'forgotten', '/functions/v1/forgot-password', toPostRequest({ email })),
    sendProbe(
      quad,
      'forgotten by nobody',
      '/functions/v1/forgot-password',
      toPostRequest({ email: 'nobody@usc.edu' }),
    ),
    sendProbe(quad, 'page', `/search?q=${randomUUID()}`),
    sendProbe(quad, 'list', '/rest/v1/listings?limit=24'),
    sendProbe(quad, 'readyz', '/readyz'),
  ]);

const expectQuick = (answers: Answer[]): void => {
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.filter(({ ms }) => ms > maxResponseMs)).toEqual([]);
};

const createEmails = (count: number): string[] =>
  Array.from({ length: count }, () => `${randomUUID()}@usc.edu`);

test('promise 39: while the mail server is down requests stay fast, and the mail arrives when it is back', async () => {
  await proxy.cut();
  const emails = createEmails(5);
  expectQuick(await requestMail(emails, registeredEmails[0]));
  await proxy.forwardTo(quad.mail.url);
  for (const email of emails) {
    const code = readCode(await quad.mail.take(email));
    const answer = await sendProbe(
      quad,
      'verify',
      '/functions/v1/verify-otp',
      toPostRequest({ email, code }),
    );
    expect(answer.status).toBe(200);
  }
  expect((await quad.mail.take(registeredEmails[0])).text).toBeTruthy();
  expect(quad.mail.arrived.filter(({ to }) => to === 'nobody@usc.edu')).toEqual([]);
});

test('promise 39: while the mail server hangs requests and shutdown stay fast, and the mail arrives later', async () => {
  await proxy.hang();
  const emails = createEmails(8);
  expectQuick(await requestMail(emails, registeredEmails[1]));
  // Now as many deliveries hang as may run concurrently; requests must still be fast.
  await measureUntil(() => proxy.hanging() >= 5, 10_000);
  const [late] = createEmails(1) as [string];
  expectQuick([await signUp(late), await sendProbe(quad, 'page', '/search?q=late')]);

  const begun = performance.now();
  expect(await quad.terminate()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(10_000);
  await proxy.forwardTo(quad.mail.url);
  await quad.start();
  for (const email of [...emails, late]) readCode(await quad.mail.take(email));
});

test('promise 39: a code that expired while the mail server was down is never sent', async () => {
  await proxy.cut();
  const [late, next] = createEmails(2) as [string, string];
  expectQuick([await signUp(late)]);
  // Moves the expiry of the queued email into the past, instead of waiting for ten minutes.
  const { pepper } = await loadSecrets(quad.dataDir);
  const queued = await sql<{ id: string; sealed: string }[]>`
    SELECT id, data->>'sealed' AS sealed FROM pgboss.job WHERE name = 'mail' AND state <> 'completed'`;
  const mails = queued.map(({ id, sealed }) => ({ id, mail: JSON.parse(decrypt(pepper, sealed)) as Mail }));
  const found = mails.find(({ mail }) => mail.to === late);
  if (!found) throw new Error('No letter is queued');
  const sealed = encrypt(pepper, JSON.stringify({ ...found.mail, expiresAt: new Date().toISOString() }));
  await sql`UPDATE pgboss.job SET data = ${sql.json({ sealed })} WHERE id = ${found.id}`;

  await proxy.forwardTo(quad.mail.url);
  expectQuick([await signUp(next)]);
  readCode(await quad.mail.take(next));
  const isOver = async () => {
    const [job] = await sql`SELECT state FROM pgboss.job WHERE id = ${found.id}`;
    return job === undefined || job.state === 'completed';
  };
  await measureUntil(isOver, 30_000);
  expect(quad.mail.arrived.filter(({ to }) => to === late)).toEqual([]);
});
