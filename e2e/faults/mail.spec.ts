import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import postgres, { type Sql } from 'postgres';
import type { Mail } from '#server/mail/mailer.ts';
import { decrypt, encrypt, loadSecrets } from '#server/platform/secrets.ts';
import { type MailProxy, openMailProxy } from '../support/mail-proxy.ts';
import { codeIn } from '../support/mail-server.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { type Quad, startQuad } from '../support/quad.ts';
import { openAccount } from '../support/sign-in.ts';
import { type Answer, ask, post, until } from './probes.ts';

/** Far below the 10 s timeout for a mail server's greeting, so that no such wait can hide in a response. */
const boundMs = 5_000;
const password = 'word-and-1234';
/** Emails to one address are half a minute apart, so each test has its own person. */
const known = ['first@usc.edu', 'second@usc.edu'] as const;

let line: MailProxy;
let database: Postgres;
let quad: Quad;
let sql: Sql;
test.beforeAll(async () => {
  line = await openMailProxy();
  database = await startPostgres();
  quad = await startQuad({ DATABASE_URL: database.url, SMTP_URL: line.url });
  sql = postgres(database.url, { max: 1 });
  await line.lead(quad.mail.url);
  for (const email of known) await openAccount(quad, email);
});
test.afterAll(async () => {
  await sql?.end();
  await quad?.stop();
  await line?.cut();
  await database?.close();
});

const signUp = (email: string): Promise<Answer> =>
  ask(quad, 'sign-up', '/functions/v1/signup', post({ email, password, fullName: 'New' }));

/** Makes every request that sends mail, and some that do not, concurrently. */
const askForMail = (newcomers: string[], email: string): Promise<Answer[]> =>
  Promise.all([
    ...newcomers.map(signUp),
    ask(quad, 'forgotten', '/functions/v1/forgot-password', post({ email })),
    ask(quad, 'forgotten by nobody', '/functions/v1/forgot-password', post({ email: 'nobody@usc.edu' })),
    ask(quad, 'page', `/search?q=${randomUUID()}`),
    ask(quad, 'list', '/rest/v1/listings?limit=24'),
    ask(quad, 'readyz', '/readyz'),
  ]);

const expectQuick = (answers: Answer[]): void => {
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  expect(answers.filter(({ ms }) => ms > boundMs)).toEqual([]);
};

const newcomers = (count: number): string[] => Array.from({ length: count }, () => `${randomUUID()}@usc.edu`);

test('promise 39: while the mail server is down requests stay fast, and the mail arrives when it is back', async () => {
  await line.cut();
  const people = newcomers(5);
  expectQuick(await askForMail(people, known[0]));
  await line.lead(quad.mail.url);
  for (const email of people) {
    const code = codeIn(await quad.mail.take(email));
    const answer = await ask(quad, 'verify', '/functions/v1/verify-otp', post({ email, code }));
    expect(answer.status).toBe(200);
  }
  expect((await quad.mail.take(known[0])).text).toBeTruthy();
  expect(quad.mail.arrived.filter(({ to }) => to === 'nobody@usc.edu')).toEqual([]);
});

test('promise 39: while the mail server hangs requests and shutdown stay fast, and the mail arrives later', async () => {
  await line.hang();
  const people = newcomers(8);
  expectQuick(await askForMail(people, known[1]));
  // The maximum number of concurrent emails hangs now, while requests continue.
  await until(() => line.hanging() >= 5, 10_000);
  const [late] = newcomers(1) as [string];
  expectQuick([await signUp(late), await ask(quad, 'page', '/search?q=late')]);

  const begun = performance.now();
  expect(await quad.terminate()).toBe(0);
  expect(performance.now() - begun).toBeLessThan(10_000);
  await line.lead(quad.mail.url);
  await quad.start();
  for (const email of [...people, late]) codeIn(await quad.mail.take(email));
});

test('promise 39: a code that expired while the mail server was down is never sent', async () => {
  await line.cut();
  const [late, next] = newcomers(2) as [string, string];
  expectQuick([await signUp(late)]);
  // Instead of waiting ten minutes, the queued email's expiry is moved into the past.
  const { pepper } = await loadSecrets(quad.dataDir);
  const queued = await sql<{ id: string; sealed: string }[]>`
    SELECT id, data->>'sealed' AS sealed FROM pgboss.job WHERE name = 'mail' AND state <> 'completed'`;
  const mails = queued.map(({ id, sealed }) => ({ id, mail: JSON.parse(decrypt(pepper, sealed)) as Mail }));
  const found = mails.find(({ mail }) => mail.to === late);
  if (!found) throw new Error('No letter is queued');
  const sealed = encrypt(pepper, JSON.stringify({ ...found.mail, expiresAt: new Date().toISOString() }));
  await sql`UPDATE pgboss.job SET data = ${sql.json({ sealed })} WHERE id = ${found.id}`;

  await line.lead(quad.mail.url);
  expectQuick([await signUp(next)]);
  codeIn(await quad.mail.take(next));
  const isOver = async () => {
    const [job] = await sql`SELECT state FROM pgboss.job WHERE id = ${found.id}`;
    return job === undefined || job.state === 'completed';
  };
  await until(isOver, 30_000);
  expect(quad.mail.arrived.filter(({ to }) => to === late)).toEqual([]);
});
