import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createRateLimits } from '#server/http/rate-limits.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { seal } from '#server/platform/secrets.ts';
import { type Person, startTestApp } from '#server/testing/app.ts';
import { startMailFixtures, stopPathIn } from '#server/testing/mail-fixtures.ts';

let server: Awaited<ReturnType<typeof startMailFixtures>>;
let seller: Person;
let buyer: Person;
/** The link in a mail to the seller. */
let path: string;

beforeAll(async () => {
  server = await startMailFixtures();
});
afterAll(() => server.close());
beforeEach(async () => {
  seller = await server.signIn();
  buyer = await server.signIn();
  const { id } = await server.talk.begin(buyer, seller);
  await server.talk.send(buyer, id, 'Is it there?');
  await server.deliver();
  const [mail] = server.mailsTo(seller);
  if (!mail) throw new Error('nothing was mailed');
  path = stopPathIn(mail);
});

const wants = async ({ userId }: Person): Promise<boolean> => {
  const [row] = await server.sql`SELECT email_messages FROM users WHERE id = ${userId}`;
  return row?.email_messages;
};
const post = (
  url: string,
  payload = 'List-Unsubscribe=One-Click',
  type = 'application/x-www-form-urlencoded',
) => server.app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
const get = (url: string) => server.app.inject({ url });

describe('the link in mails about messages', () => {
  test.each([
    ['a form', 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
    [
      'several parts',
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    ['nothing', '', 'application/x-www-form-urlencoded'],
  ])(
    'switches off at once when a mail program posts %s, without anybody signed in',
    async (_, body, type) => {
      const reply = await post(path, body, type);
      expect(reply.statusCode).toBe(200);
      expect(reply.body).toContain('You get no more emails about new messages');
      expect(reply.headers['set-cookie']).toBeUndefined();
      expect(await wants(seller)).toBe(false);
      expect(await wants(buyer)).toBe(true);
      expect((await post(path)).statusCode).toBe(200);
    },
  );

  test('asks and changes nothing when it is only opened, as mail scanners do', async () => {
    const page = await get(path);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('<form method="post"><button>');
    expect(page.body).toContain('https://quad.test/profile?tab=settings');
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect((await server.app.inject({ method: 'HEAD', url: path })).statusCode).toBe(200);
    expect(await wants(seller)).toBe(true);
  });

  test('still works after 60 days', async () => {
    server.clock.advance(60 * 24 * 3600);
    expect((await post(path)).statusCode).toBe(200);
    expect(await wants(seller)).toBe(false);
  });

  test('answers no error for an account that is gone', async () => {
    await server.sql`DELETE FROM users WHERE id = ${seller.userId}`;
    expect((await post(path)).statusCode).toBe(200);
  });

  test('names nobody, is another one in each mail, and opens nothing else', async () => {
    const token = path.split('/').at(-1) ?? '';
    const inside = Buffer.from(token, 'base64url').toString('latin1');
    expect(token + inside).not.toContain(seller.userId);
    expect(inside).not.toContain(seller.email);
    const { id } = await server.talk.begin(buyer, seller);
    await server.talk.send(buyer, id, 'Is it there?');
    await server.deliver();
    const second = server.mailsTo(seller)[1];
    expect(second && stopPathIn(second)).not.toBe(path);
    const asSession = await server.app.inject({
      url: '/rest/v1/me',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(asSession.statusCode).toBe(401);
  });

  test('with a token that is not ours is answered with 404 and a clear sentence, however it is asked', async () => {
    const token = path.split('/').at(-1) ?? '';
    const middle = token.charAt(40) === 'A' ? 'B' : 'A';
    const wrong = [
      'nonsense',
      'A',
      `${token.slice(0, 40)}${middle}${token.slice(41)}`,
      token.slice(0, 30),
      seller.userId,
      // Sealed by this very server, for something else.
      seal(server.pepper, seller.userId),
      '%00',
    ];
    for (const candidate of wrong) {
      for (const reply of [await get(`/unsubscribe/${candidate}`), await post(`/unsubscribe/${candidate}`)]) {
        expect(reply.statusCode).toBe(404);
        expect(reply.body).toContain('This link does not work.');
      }
    }
    expect(await wants(seller)).toBe(true);
  });

  test('takes no more than a short body', async () => {
    expect((await post(path, 'x'.repeat(5000))).statusCode).toBe(413);
    expect(await wants(seller)).toBe(true);
  });
});

test('promise 37: opening such links again and again ends in 429, as a page', async () => {
  const sql = openDatabase(server.databaseUrl, { max: 2 });
  const limited = await startTestApp({ deps: { rateLimits: createRateLimits(sql) } });
  const answers = await Promise.all(
    Array.from({ length: 121 }, () => limited.app.inject({ url: `/unsubscribe/${randomUUID()}` })),
  );
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  expect(refused).toHaveLength(1);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused[0]?.body).toContain('Too many requests. Try again in a few minutes.');
  await limited.close();
  await sql.end();
});
