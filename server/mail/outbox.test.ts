import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '#server/config.ts';
import { createDiskFileStore, type FileStore } from '#server/platform/files/files.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { createTestClock } from '#server/testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts';
import { startTestMailWorker } from '#server/testing/mail-worker.ts';
import { createSmtpDelivery } from './delivery.ts';
import type { Mailer } from './mailer.ts';

let database: TestDatabase;
let sql: Sql;
let mailer: Mailer;
let stopMailWorker: () => Promise<void>;
let filesFolder: string;
let files: FileStore;
const clock = createTestClock();
const sellerId = randomUUID();

// Emails received by `server`, a real mail server. It temporarily refuses the first email to each
// address that starts with `busy`, and every email to an address in `awayAddresses`.
const receivedEmails: Email[] = [];
let emailWaiters: { to: string; resolve: (mail: Email) => void }[] = [];
const refusedAddresses = new Set<string>();
const awayAddresses = new Set<string>();
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, done) => {
    const isRefused = address.startsWith('busy') && !refusedAddresses.has(address);
    if (!isRefused && !awayAddresses.has(address)) return done();
    refusedAddresses.add(address);
    done(Object.assign(new Error('try again later'), { responseCode: 451 }));
  },
  onData: (stream, _session, done) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', async () => {
      const mail = await PostalMime.parse(Buffer.concat(chunks));
      receivedEmails.push(mail);
      const isFor = (to: string) => mail.to?.some((recipient) => recipient.address === to);
      for (const waiter of emailWaiters) if (isFor(waiter.to)) waiter.resolve(mail);
      emailWaiters = emailWaiters.filter((waiter) => !isFor(waiter.to));
      done();
    });
  },
});
const waitForEmail = (to: string): Promise<Email> =>
  new Promise((resolve) => {
    emailWaiters.push({ to, resolve });
  });

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  if (!address || typeof address === 'string') throw new Error('not listening');
  database = await createTestDatabase();
  sql = openDatabase(database.url);
  filesFolder = await mkdtemp(join(tmpdir(), 'quad-outbox-'));
  files = createDiskFileStore({ root: filesFolder });
  const { mailFrom } = readConfig({ QUAD_SITE_NAME: 'Quad: USC (new)' });
  const delivery = createSmtpDelivery(`smtp://127.0.0.1:${address.port}`, mailFrom, files);
  const mails = await startTestMailWorker(database.url, {
    delivery,
    clock,
    contents: {
      findWillingSeller: async (_app, { to }) =>
        to === 'unwilling@usc.edu' ? undefined : { id: sellerId, wantsQuotes: true },
    },
  });
  mailer = mails.mailer;
  stopMailWorker = mails.stop;
});
afterAll(async () => {
  await stopMailWorker();
  await new Promise<void>((done) => server.close(done));
  await sql.end();
  await database.drop();
  await rm(filesFolder, { recursive: true, force: true });
});

const formatExpiryInTenMinutes = () => new Date(clock.now().getTime() + 600_000).toISOString();

test('delivers an email that was queued in a transaction, as text and HTML', async () => {
  const arrived = waitForEmail('ada@usc.edu');
  await sql.begin((tx) =>
    mailer.send(tx, {
      kind: 'signup_code',
      to: 'ada@usc.edu',
      code: '123456',
      expiresAt: formatExpiryInTenMinutes(),
    }),
  );
  const mail = await arrived;
  expect(mail.subject).toBe('123456 is your Quad verification code');
  expect(mail.from).toMatchObject({ name: 'Quad: USC (new)', address: 'no-reply@usc.edu' });
  expect(mail.text).toContain('123456');
  expect(mail.html).toContain('123456');
});

test('emails about campus addresses explain what happens to the address and to both accounts', async () => {
  const expiresAt = formatExpiryInTenMinutes();
  const [code, taken, moved] = ['code@usc.edu', 'taken@usc.edu', 'first@home.example'].map(waitForEmail);
  const [withheld, suspended] = ['sign_up@usc.edu', 'support@usc.edu'].map(waitForEmail);
  await sql.begin(async (tx) => {
    await mailer.send(tx, { kind: 'campus_code', to: 'code@usc.edu', code: '246802', expiresAt });
    await mailer.send(tx, { kind: 'campus_address_taken', to: 'taken@usc.edu', expiresAt, advice: 'log_in' });
    for (const advice of ['sign_up', 'support'] as const)
      await mailer.send(tx, { kind: 'campus_address_taken', to: `${advice}@usc.edu`, expiresAt, advice });
    await mailer.send(tx, {
      kind: 'campus_address_moved',
      to: 'first@home.example',
      campusEmail: 'moved@usc.edu',
    });
  });
  expect(await code).toMatchObject({
    subject: '246802 is your Quad code for this address',
    text: expect.stringContaining('under Settings in your profile'),
    html: expect.stringContaining('246802'),
  });
  expect((await code)?.text).toContain('expires in 10 minutes');
  expect(await taken).toMatchObject({
    subject: 'This address already belongs to an account on Quad',
    text: expect.stringContaining('there is no code, and nothing was changed'),
  });
  expect((await taken)?.text).toContain('https://quad.test/login');
  expect((await taken)?.text).not.toMatch(/\d{6}/);
  expect((await taken)?.text).toContain('delete this one first');
  expect((await withheld)?.text).toContain('If this address is yours now, sign up with it, or write to');
  for (const text of [(await withheld)?.text, (await suspended)?.text])
    expect(text).not.toMatch(/delete this one|https:\/\/quad\.test\/login/);
  expect((await suspended)?.text).not.toContain('sign up with it');
  expect(await moved).toMatchObject({
    subject: 'Your USC address was verified for another account on Quad',
    text: expect.stringContaining('moved@usc.edu'),
  });
  expect((await moved)?.text).toContain('https://quad.test/profile?tab=settings&page=campus-address');
});

test('sends no decoys, no expired codes, and no emails queued in a rolled-back transaction', async () => {
  const failing = sql.begin(async (tx) => {
    await mailer.send(tx, {
      kind: 'login_code',
      to: 'rolled-back@usc.edu',
      code: '111111',
      expiresAt: formatExpiryInTenMinutes(),
    });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  await sql.begin(async (tx) => {
    const expired = clock.now().toISOString();
    await mailer.send(tx, { kind: 'login_code', to: 'expired@usc.edu', code: '222222', expiresAt: expired });
    await mailer.send(tx, {
      kind: 'login_code',
      to: 'decoy@usc.edu',
      code: '',
      expiresAt: formatExpiryInTenMinutes(),
      decoy: true,
    });
  });
  const arrived = waitForEmail('last@usc.edu');
  await sql.begin((tx) =>
    mailer.send(tx, {
      kind: 'reset_link',
      to: 'last@usc.edu',
      token: 't',
      expiresAt: formatExpiryInTenMinutes(),
    }),
  );
  expect((await arrived).text).toContain('https://quad.test/reset-password/t');
  await expect.poll(() => sql`SELECT FROM pgboss.job WHERE state < 'completed'`).toEqual([]);
  const recipients = receivedEmails.flatMap((mail) => mail.to?.map((recipient) => recipient.address));
  expect(recipients).not.toContain('rolled-back@usc.edu');
  expect(recipients).not.toContain('expired@usc.edu');
  expect(recipients).not.toContain('decoy@usc.edu');
});

test('promise 39: retries an email that the server refuses temporarily', async () => {
  const arrived = waitForEmail('busy@usc.edu');
  await sql.begin((tx) =>
    mailer.send(tx, {
      kind: 'signup_code',
      to: 'busy@usc.edu',
      code: '654321',
      expiresAt: formatExpiryInTenMinutes(),
    }),
  );
  expect((await arrived).subject).toContain('654321');
});

test('promise 39: still retries an email after the mail server was away for two days', async () => {
  awayAddresses.add('away@usc.edu');
  await sql.begin((tx) => mailer.send(tx, { kind: 'suspension_lifted', to: 'away@usc.edu' }));
  const waitForRetry = (retries: number) =>
    vi.waitFor(async () => {
      const rows = await sql`SELECT retry_count FROM pgboss.job WHERE name = 'mail' AND state = 'retry'`;
      expect(rows).toEqual([{ retry_count: retries }]);
    }, 10_000);
  await waitForRetry(0);
  // After 12 retries in two hours, each retry follows an hour later.
  await sql`UPDATE pgboss.job SET retry_count = 58, start_after = now() WHERE state = 'retry'`;
  await waitForRetry(59);
  const arrived = waitForEmail('away@usc.edu');
  awayAddresses.clear();
  await sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`;
  expect((await arrived).to).toMatchObject([{ address: 'away@usc.edu' }]);
});

test('escapes text from another person in the body and the subject line', async () => {
  const arrived = waitForEmail('seller@usc.edu');
  await sql.begin((tx) =>
    mailer.send(tx, {
      kind: 'first_message',
      to: 'seller@usc.edu',
      sellerName: 'Sam',
      buyerName: 'Bo\r\nBcc: everyone@usc.edu',
      listingTitle: '<b>Desk</b>',
      messageText: '<script>alert(1)</script>\nStill there?',
      conversationId: 'c-1',
    }),
  );
  const mail = await arrived;
  expect(mail.subject).toBe('Bo Bcc: everyone@usc.edu wrote to you about "<b>Desk</b>"');
  expect(mail.bcc).toBeUndefined();
  expect(mail.html).not.toContain('<script>');
  expect(mail.text).toContain('> Still there?');
  expect(mail.text).toContain('https://quad.test/messages?c=c-1');
});

test('keeps the line breaks of a reply to a form in HTML', async () => {
  const arrived = waitForEmail('asker@usc.edu');
  const text = 'Please bring:\n- your ID\n- the receipt\n\nThank you.';
  await sql.begin((tx) =>
    mailer.send(tx, { kind: 'form_answer', to: 'asker@usc.edu', subject: 'Lost keys', text }),
  );
  const [paragraph] = /<p [^>]*>Please bring:[^<]*<\/p>/.exec((await arrived).html ?? '') ?? [];
  expect(paragraph).toContain('white-space:pre-line');
  expect(paragraph).toContain('Please bring:\n- your ID\n- the receipt');
});

test('does not send a first message to a seller who turned emails off in the meantime', async () => {
  const unreadMail = {
    sellerName: 'Sam',
    buyerName: 'Bo',
    listingTitle: 'Desk',
    messageText: 'Hello?',
    conversationId: 'c-2',
  };
  const arrived = waitForEmail('willing@usc.edu');
  await sql.begin((tx) => mailer.send(tx, { kind: 'first_message', ...unreadMail, to: 'unwilling@usc.edu' }));
  await sql.begin((tx) => mailer.send(tx, { kind: 'first_message', ...unreadMail, to: 'willing@usc.edu' }));
  await arrived;
  await expect.poll(() => sql`SELECT FROM pgboss.job WHERE state < 'completed'`).toEqual([]);
  const recipients = receivedEmails.flatMap((mail) => mail.to?.map((recipient) => recipient.address));
  expect(recipients).not.toContain('unwilling@usc.edu');
});

test('delivers a form with its file and reply address, and without the file when it no longer exists', async () => {
  const form = { subject: 'Application: Designer', replyTo: 'ada@usc.edu', facts: { Name: 'Ada <b>' } };
  const attachment = {
    filename: 'résumé "final".pdf',
    contentType: 'application/pdf',
    key: 'forms/1/resume.pdf',
  };
  await files.put(attachment.key, Buffer.from('%PDF-1.7 work'), attachment);
  const withFile = waitForEmail('support@usc.edu');
  await sql.begin((tx) => mailer.send(tx, { kind: 'form', ...form, to: 'support@usc.edu', attachment }));
  const mail = await withFile;
  expect(mail.replyTo).toEqual([{ name: '', address: 'ada@usc.edu' }]);
  expect(mail.text).toContain('Name: Ada <b>');
  expect(mail.html).toContain('Ada &#60;b&#62;');
  const [file] = mail.attachments;
  expect(file).toMatchObject({ filename: attachment.filename, mimeType: 'application/pdf' });
  expect(Buffer.from(file?.content as ArrayBuffer).toString()).toBe('%PDF-1.7 work');

  const withoutFile = waitForEmail('support2@usc.edu');
  await sql.begin((tx) =>
    mailer.send(tx, {
      kind: 'form',
      ...form,
      to: 'support2@usc.edu',
      attachment: { ...attachment, key: 'forms/2/resume.pdf' },
    }),
  );
  expect((await withoutFile).attachments).toEqual([]);
});

test('stores no code unencrypted in the queue', async () => {
  await sql.begin(async (tx) => {
    await mailer.send(tx, {
      kind: 'login_code',
      to: 'sealed@usc.edu',
      code: '987654',
      expiresAt: formatExpiryInTenMinutes(),
    });
    const rows = await tx`SELECT data::text AS data FROM pgboss.job ORDER BY created_on DESC`;
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain('987654');
    expect(JSON.stringify(rows)).not.toContain('sealed@usc.edu');
  });
});
