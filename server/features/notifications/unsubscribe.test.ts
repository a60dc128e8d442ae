import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { createRateLimits } from '#server/platform/rate-limits.ts';
import { encrypt } from '#server/platform/secrets.ts';
import { type Person, startTestApp } from '#server/testing/app.ts';
import { getUnsubscribePath, startMailTestApp } from '#server/testing/mail-fixtures.ts';

let server: Awaited<ReturnType<typeof startMailTestApp>>;
let seller: Person;
let buyer: Person;
/** Path of the unsubscribe link in an email to the seller. */
let unsubscribePath: string;

beforeAll(async () => {
  server = await startMailTestApp();
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
  unsubscribePath = getUnsubscribePath(mail);
});

const hasMessageEmailsOn = async ({ userId }: Person): Promise<boolean> => {
  const [row] = await server.sql`SELECT email_messages FROM users WHERE id = ${userId}`;
  return row?.email_messages;
};
const postForm = (
  url: string,
  payload = 'List-Unsubscribe=One-Click',
  type = 'application/x-www-form-urlencoded',
) => server.server.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
const getPage = (url: string) => server.server.inject({ url });

describe('the unsubscribe link', () => {
  test.each([
    ['a form', 'List-Unsubscribe=One-Click', 'application/x-www-form-urlencoded'],
    [
      'several parts',
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
    ['nothing', '', 'application/x-www-form-urlencoded'],
  ])('turns emails off when a mail program posts %s without a session', async (_, body, type) => {
    const response = await postForm(unsubscribePath, body, type);
    expect(response.statusCode).toBe(200);
    expect(response.body).toContain('You get no more emails about new messages');
    expect(response.headers['set-cookie']).toBeUndefined();
    expect(await hasMessageEmailsOn(seller)).toBe(false);
    expect(await hasMessageEmailsOn(buyer)).toBe(true);
    expect((await postForm(unsubscribePath)).statusCode).toBe(200);
  });

  test('shows a form and changes nothing when it is opened, as mail scanners do', async () => {
    const page = await getPage(unsubscribePath);
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-type']).toContain('text/html');
    expect(page.body).toContain('<form method="post"><button>');
    expect(page.body).toContain('https://quad.test/profile?tab=settings&#38;page=notifications');
    expect(page.headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    });
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect((await server.server.inject({ method: 'HEAD', url: unsubscribePath })).statusCode).toBe(200);
    expect(await hasMessageEmailsOn(seller)).toBe(true);
  });

  test('works after 60 days', async () => {
    server.clock.advance(60 * 24 * 3600);
    expect((await postForm(unsubscribePath)).statusCode).toBe(200);
    expect(await hasMessageEmailsOn(seller)).toBe(false);
  });

  test('returns no error for a deleted account', async () => {
    await server.sql`DELETE FROM users WHERE id = ${seller.userId}`;
    expect((await postForm(unsubscribePath)).statusCode).toBe(200);
  });

  test('does not reveal the account, differs in each email and gives no other access', async () => {
    const token = unsubscribePath.split('/').at(-1) ?? '';
    const inside = Buffer.from(token, 'base64url').toString('latin1');
    expect(token + inside).not.toContain(seller.userId);
    expect(inside).not.toContain(seller.email);
    const { id } = await server.talk.begin(buyer, seller);
    await server.talk.send(buyer, id, 'Is it there?');
    await server.deliver();
    const second = server.mailsTo(seller)[1];
    expect(second && getUnsubscribePath(second)).not.toBe(unsubscribePath);
    const asSession = await server.server.inject({
      url: '/rest/v1/me',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(asSession.statusCode).toBe(401);
  });

  test('returns 404 with an explanation for an invalid token, for GET and POST', async () => {
    const token = unsubscribePath.split('/').at(-1) ?? '';
    const middle = token.charAt(40) === 'A' ? 'B' : 'A';
    const wrong = [
      'nonsense',
      'A',
      `${token.slice(0, 40)}${middle}${token.slice(41)}`,
      token.slice(0, 30),
      seller.userId,
      // A token encrypted with the server's pepper itself, instead of with the key for unsubscribe links that
      // is derived from it.
      encrypt(server.pepper, seller.userId),
      '%00',
    ];
    for (const candidate of wrong) {
      for (const response of [
        await getPage(`/unsubscribe/${candidate}`),
        await postForm(`/unsubscribe/${candidate}`),
      ]) {
        expect(response.statusCode).toBe(404);
        expect(response.body).toContain('This link does not work.');
      }
    }
    expect(await hasMessageEmailsOn(seller)).toBe(true);
  });

  test('refuses a long body', async () => {
    expect((await postForm(unsubscribePath, 'x'.repeat(5000))).statusCode).toBe(413);
    expect(await hasMessageEmailsOn(seller)).toBe(true);
  });
});

test('promise 37: repeated requests get a 429 page', async () => {
  const sql = openDatabase(server.databaseUrl, { max: 2 });
  const limited = await startTestApp({ replace: { limits: createRateLimits(sql) } });
  const responses = await Promise.all(
    Array.from({ length: 121 }, () => limited.server.inject({ url: `/unsubscribe/${randomUUID()}` })),
  );
  const refused = responses.filter(({ statusCode }) => statusCode === 429);
  expect(refused).toHaveLength(1);
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused[0]?.body).toContain('Too many requests. Try again in a few minutes.');
  await limited.close();
  await sql.end();
});
