import { expect, test } from 'vitest';
import { type Person, startTestApp, testPassword } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { createLog, formatLogLine, redactLogLine } from './log.ts';

test('promise 50: the log contains request ids but nothing that people typed, at any level and for any failure', async () => {
  const lines: string[] = [];
  const log = createLog({ write: (line: string) => void lines.push(line) }, 'trace');
  const environment = { QUAD_PUBLIC_URL: 'https://quad.test', QUAD_SMTP_URL: 'smtp://mail.test' };
  const testApp = await startTestApp({ environment, replace: { logger: log } });
  const request = (method: 'GET' | 'POST', url: string, payload?: object, person?: Person) =>
    testApp.server.inject({
      method,
      url,
      ...(payload ? { payload } : {}),
      ...(person ? { headers: person.headers } : {}),
    });

  const [buyer, seller] = [await testApp.signUp(), await testApp.signUp({ fullName: 'Xanthippe Quirk' })];
  const conversations = createConversationClient(testApp);
  const conversation = await conversations.begin(buyer, seller);
  await conversations.send(buyer, conversation.id, 'Meet me under the old oak');
  await request('GET', '/rest/v1/listings?q=embarrassing-search');
  const { email } = buyer;
  await request('POST', '/functions/v1/login-password', { email, password: 'a-wrong-password-1' });
  await request('POST', '/functions/v1/forgot-password', { email });
  const mail = testApp.mails.findLast(({ kind }) => kind === 'reset_link');
  const token = mail && 'token' in mail ? mail.token : '';
  await request('GET', `/reset-password/${token}`);
  await request('GET', `/unsubscribe/${token}`);
  await request('POST', '/functions/v1/reset-password', { token: `${token}x`, password: 'a-new-password-2' });
  const code = testApp.codeFor(seller.email);
  const verified = await request('POST', '/functions/v1/verify-otp', { email: seller.email, code });

  // Make the database fail with errors that contain user input.
  await testApp.sql`ALTER TABLE messages ADD CONSTRAINT no_more CHECK (message_text NOT LIKE 'forbidden%')`;
  expect((await conversations.send(buyer, conversation.id, 'forbidden fruit')).status).toBe(500);
  await testApp.sql`ALTER TABLE users RENAME TO people`;
  expect((await request('GET', '/rest/v1/me', undefined, buyer)).statusCode).toBe(500);
  await testApp.sql`ALTER TABLE people RENAME TO users`;
  log.warn({ err: new Error(`550 <${email}> is unknown, ${buyer.token}`) }, `no mail to ${email}`);
  await testApp.close();

  const all = lines.join('');
  expect(lines.length).toBeGreaterThan(8);
  const secrets = [
    email,
    seller.email,
    testPassword,
    'a-wrong-password-1',
    'a-new-password-2',
    code,
    token,
    buyer.token,
    buyer.refreshToken,
    'old oak',
    'forbidden fruit',
    'embarrassing-search',
    'Xanthippe',
  ];
  for (const secret of secrets) expect(all).not.toContain(secret);
  expect(verified.headers['x-request-id']).toMatch(/^[0-9a-f]{10}-[0-9a-z]+$/);
  expect(all).toContain(`"reqId":"${verified.headers['x-request-id']}"`);
});

test('a line for people has the time, the level, the message, its details without control characters and the stack of an error', () => {
  let line = '';
  const log = createLog({
    write: (text) => {
      line = formatLogLine(text);
    },
  });
  log.info({ queue: 'mail', counts: [1] }, 'jobs are waiting');
  expect(line).toMatch(/^\d\d:\d\d:\d\d INFO jobs are waiting queue=mail counts=\[1\]\n$/);
  log.warn({ origin: 'x\n\u001b[2J\u009b2J' }, 'refused\r');
  expect(line).toMatch(/WARN refused%0D origin=x%0A%1B\[2J%C2%9B2J\n$/);
  log.warn({ err: new Error('no answer') }, 'job failed');
  expect(line).toMatch(/^\d\d:\d\d:\d\d WARN job failed\nError: no answer\n {4}at .+\n$/s);
});

test.each([
  ['connect postgres://quad:hunter2@db:5432/quad failed', 'connect postgres://[secret]@db:5432/quad failed'],
  ['550 <sam.o_hara+x@mail.usc.edu> unknown', '550 <[address]> unknown'],
  [
    'at file:///srv/node_modules/@fastify/static/x.js:1:2',
    'at file:///srv/node_modules/@fastify/static/x.js:1:2',
  ],
  ['session 0b0e5f60-7d3c-4a4e-9d2c-2f6f5b0a8f11', 'session 0b0e5f60-7d3c-4a4e-9d2c-2f6f5b0a8f11'],
  ['/x/Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9v', '/x/[token]'],
])('scrub turns "%s" into "%s"', (line, scrubbed) => {
  expect(redactLogLine(line)).toBe(scrubbed);
});
