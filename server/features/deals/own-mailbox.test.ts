import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createDealClient } from './testing.ts';

let testApp: TestApp;
let client: ReturnType<typeof createDealClient>;
beforeAll(async () => {
  testApp = await startTestApp();
  client = createDealClient(testApp);
});
afterAll(() => testApp.close());

/** Signs up people, then gives them addresses of one mailbox, as accounts from earlier versions can have. */
const signInToOneMailbox = async (count: number): Promise<Person[]> => {
  const name = randomUUID();
  const people = await Promise.all(Array.from({ length: count }, () => testApp.signIn()));
  for (const [index, { userId }] of people.entries())
    await testApp.sql`UPDATE users SET email = ${`${name}+${index}@usc.edu`} WHERE id = ${userId}`;
  return people;
};

test('somebody with two accounts of one mailbox starts no deal with themselves', async () => {
  const [seller, buyer] = (await signInToOneMailbox(2)) as [Person, Person];
  const listingId = await client.list(seller);
  expect(await client.start(buyer, listingId)).toMatchObject({ status: 409, body: { code: 'own_listing' } });
  expect((await client.start(await testApp.signIn(), listingId)).status).toBe(200);
});

test('somebody with a campus address of the mailbox of another account starts no deal with it', async () => {
  const [seller, buyer] = (await signInToOneMailbox(1)).concat(
    await testApp.signIn({ email: `${randomUUID()}@home.example` }),
  ) as [Person, Person];
  await testApp.sql`
    INSERT INTO private.campus_addresses (user_id, email, requested_at, verified_at)
    SELECT ${buyer.userId}, replace(email, '+0', '+1'), created_at, created_at FROM users WHERE id = ${seller.userId}`;
  expect((await client.start(buyer, await client.list(seller))).body.code).toBe('own_listing');
});

test('the claims of one mailbox take part in a draw once', async () => {
  const giver = await testApp.signIn();
  const people = [...(await signInToOneMailbox(3)), await testApp.signIn()];
  const gift = { category: 'free', price: 0, giftMode: 'draw', drawHours: 2 };
  const listingId = await client.list(giver, gift);
  for (const person of people) {
    testApp.clock.advance(1);
    expect((await client.start(person, listingId)).status).toBe(200);
  }
  testApp.clock.advance(2 * 3600);
  await testApp.jobs.repeatNow('draw-gifts');
  const drawn = await testApp.sql<{ buyer_id: string }[]>`
    SELECT buyer_id FROM deals WHERE listing_id = ${listingId} AND draw_rank IS NOT NULL`;
  expect(drawn.map(({ buyer_id: id }) => id).toSorted()).toEqual(
    [people[0]?.userId, people[3]?.userId].toSorted(),
  );
});
