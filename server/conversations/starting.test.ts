import { afterAll, beforeAll, expect, test } from 'vitest';
import { openings } from '#contract/limits.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTalk, insertDesk } from '#server/testing/conversations.ts';

let house: TestApp;
let talk: ReturnType<typeof createTalk>;
let seller: Person;

beforeAll(async () => {
  house = await startTestApp();
  talk = createTalk(house);
  seller = await house.signIn();
});
afterAll(() => house.close());

const desks = (count: number) => Promise.all(Array.from({ length: count }, () => insertDesk(house, seller)));
const open = async (buyer: Person, listing: string) => (await talk.open(buyer, listing)).status;

test('a new account may open 20 conversations a day; finding one again does not count', async () => {
  const buyer = await house.signIn();
  const [first = '', ...others] = await desks(openings.new.points + 1);
  for (let count = 0; count < 5; count += 1) expect(await open(buyer, first)).toBe(200);
  const last = others.pop() ?? '';
  for (const listing of others) expect(await open(buyer, listing)).toBe(200);
  const refused = await house.app.inject({
    method: 'POST',
    url: '/rest/v1/conversations',
    headers: buyer.headers,
    payload: { listing_id: last },
  });
  expect(refused.statusCode).toBe(429);
  expect(refused.headers['retry-after']).toBe(String(openings.new.seconds));
  expect(refused.json().code).toBe('rate_limited');
  expect(await open(buyer, first)).toBe(200);

  house.clock.advance(openings.new.seconds);
  const renewed = await house.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=refresh_token',
    payload: { refresh_token: buyer.refreshToken },
  });
  const tomorrow = { ...buyer, headers: { authorization: `Bearer ${renewed.json().access_token}` } };
  expect(await open(tomorrow, last)).toBe(200);
});

test('of 30 at once a new account opens 20', async () => {
  const buyer = await house.signIn();
  const statuses = await Promise.all((await desks(30)).map((listing) => open(buyer, listing)));
  expect(statuses.filter((status) => status === 200)).toHaveLength(openings.new.points);
  expect(statuses.filter((status) => status === 429)).toHaveLength(30 - openings.new.points);
});

test('an account of a week may open 60 an hour', async () => {
  const buyer = await house.signIn();
  const weekAgo = new Date(house.clock.now().getTime() - openings.newForSeconds * 1000);
  await house.sql`UPDATE users SET created_at = ${weekAgo} WHERE id = ${buyer.userId}`;
  const listings = await desks(openings.known.points + 1);
  const last = listings.pop() ?? '';
  for (const listing of listings) expect(await open(buyer, listing)).toBe(200);
  expect(await open(buyer, last)).toBe(429);
});
