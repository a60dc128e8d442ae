import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Conversation } from '#contract/conversations.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';

let testApp: TestApp;
let client: ReturnType<typeof createConversationClient>;
let seller: Person;
let buyer: Person;
let id: string;

beforeAll(async () => {
  testApp = await startTestApp();
  client = createConversationClient(testApp);
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
  ({ id } = await client.begin(buyer, seller));
  await client.send(buyer, id, 'Is this still available?');
});
afterAll(() => testApp.close());

/** Returns what a person learns about the other party, which the inbox and the conversation say alike. */
const look = async (person: Person) => {
  const { body } = await client.ask(person, 'GET', client.at(id));
  const { items } = (await client.ask(person, 'GET', '/rest/v1/conversations')).body;
  expect(items[0]).toEqual(body);
  const { other_read_seq, other } = body as Conversation;
  return [other_read_seq, other?.active];
};
const change = (person: Person, body: object) => client.ask(person, 'PATCH', '/rest/v1/me', body);

test('promise 100: what was read and when people were active is shared in both directions, or not at all', async () => {
  expect(await look(buyer)).toEqual([0, 'today']);
  await client.ask(seller, 'POST', client.at(id, '/read'), { seq: 1 });
  expect(await look(buyer)).toEqual([1, 'today']);
  expect(await look(seller)).toEqual([1, 'today']);

  for (const person of [seller, buyer]) {
    expect((await change(person, { show_seen: false })).body).toMatchObject({
      show_seen: false,
      show_typing: true,
    });
    for (const reader of [seller, buyer]) expect(await look(reader)).toEqual([null, undefined]);
    await change(person, { show_seen: true });
  }
  expect(await look(buyer)).toEqual([1, 'today']);

  await client.ask(seller, 'PUT', `/rest/v1/me/blocks/${buyer.userId}`);
  for (const reader of [seller, buyer]) expect(await look(reader)).toEqual([null, undefined]);
  await testApp.sql`DELETE FROM blocks`;
  await testApp.sql`UPDATE private.credentials SET suspended_at = now() WHERE user_id = ${seller.userId}`;
  expect(await look(buyer)).toEqual([null, undefined]);
  await testApp.sql`UPDATE private.credentials SET suspended_at = NULL`;
});

test.each([
  [0, 'today'],
  [3, 'week'],
  [8, undefined],
])('somebody who was active %i days ago was active: %s', async (days, level) => {
  await testApp.sql`
    UPDATE private.sessions SET last_used_at = ${new Date(testApp.clock.now().getTime() - days * 86_400_000)}
    WHERE user_id = ${seller.userId}`;
  expect((await look(buyer))[1]).toBe(level);
});
