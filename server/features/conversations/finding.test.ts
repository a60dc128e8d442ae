import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Inbox } from '#contract/conversations.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';
import { countRowsRead, explainSentStatements } from '#server/testing/query-plans.ts';
import { foldNewMessages } from './message-texts.ts';
import { listUnfoldedConversations } from './message-texts-repository.ts';

const nilUuid = '00000000-0000-0000-0000-000000000000';
let testApp: TestApp;
let client: ReturnType<typeof createConversationClient>;
let maya: Person;
let noah: Person;
let stranger: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  client = createConversationClient(testApp);
});
beforeEach(async () => {
  maya = await testApp.signIn({ fullName: 'Maya Müller' });
  noah = await testApp.signIn({ fullName: 'Noah Park' });
  stranger = await testApp.signIn({ fullName: 'Sam Stranger' });
});
afterAll(() => testApp.close());

const search = async (person: Person, q: string, rest = ''): Promise<Inbox['items']> => {
  const { status, body } = await client.ask(
    person,
    'GET',
    `/rest/v1/conversations?q=${encodeURIComponent(q)}${rest}`,
  );
  expect(status).toBe(200);
  return body.items;
};
const listFound = async (person: Person, q: string): Promise<string[]> =>
  (await search(person, q)).flatMap(({ found }) => found?.map(({ message_text }) => message_text) ?? []);

/** Starts a conversation about a desk, in which the buyer has sent these messages. */
const start = async (buyer: Person, seller: Person, ...texts: string[]): Promise<string> => {
  testApp.clock.advance(1);
  const { id } = await client.begin(buyer, seller);
  for (const text of texts) expect(await client.send(buyer, id, text)).toMatchObject({ status: 200 });
  return id;
};

describe.each([
  { state: 'just after they were sent', prepare: async () => undefined },
  { state: 'after the hourly job', prepare: () => foldNewMessages(testApp.app) },
])('promise 101: messages are found $state', ({ prepare }) => {
  test('by the two people of their conversation, and by nobody else', async () => {
    const id = await start(maya, noah, 'Could we meet at the fountain?', 'By the zebra crossing');
    await start(stranger, noah, 'I like the zebra pattern');
    await prepare();
    expect(await search(maya, 'zebra')).toMatchObject([
      { id, found: [{ seq: 2, sender_id: maya.userId, message_text: 'By the zebra crossing' }] },
    ]);
    expect(await listFound(noah, 'zebra')).toEqual(['I like the zebra pattern', 'By the zebra crossing']);
    expect(await listFound(stranger, 'fountain')).toEqual([]);
    expect(await search(stranger, 'fountain')).toEqual([]);
  });

  test('whatever their case, accents, quotes and hyphens are', async () => {
    await start(maya, noah, 'The POÄNG’s cushion and an E-Bike');
    await prepare();
    for (const q of ['poang', 'PoÄng', "poäng's", 'ebike', 'e bike'])
      expect(await listFound(maya, q)).toHaveLength(1);
    expect(await listFound(maya, 'poangs bike')).toEqual([]);
  });

  test('newest first and up to three of a conversation, with the part that contains the text', async () => {
    const long = `${'word '.repeat(200)}lighthouse ${'word '.repeat(150)}`.trim();
    await start(maya, noah, 'lighthouse 1', 'lighthouse 2', 'lighthouse 3', long);
    await prepare();
    const found = await listFound(maya, 'lighthouse');
    expect(found.slice(1)).toEqual(['lighthouse 3', 'lighthouse 2']);
    expect(found[0]).toContain('lighthouse');
    expect(found[0]?.length).toBeLessThanOrEqual(201);
  });

  test('unless they were unsent', async () => {
    const id = await start(maya, noah, 'An old zither');
    const { body } = await client.send(maya, id, 'A new accordion');
    expect(await client.unsend(maya, id, body.id)).toMatchObject({ status: 200 });
    await prepare();
    for (const q of ['accordion', 'unsent']) expect(await listFound(maya, q)).toEqual([]);
    expect(await listFound(noah, 'zither')).toEqual(['An old zither']);
  });

  test('unless their text was removed', async () => {
    const id = await start(maya, noah, 'one', 'My number is 2135550100', 'three');
    await prepare();
    await testApp.sql`UPDATE messages SET message_text = 'Message unsent' WHERE conversation_id = ${id} AND seq = 2`;
    expect(await listFound(noah, '2135550100')).toEqual([]);
    await prepare();
    expect(await listFound(noah, '2135550100')).toEqual([]);
    expect(await listFound(noah, 'three')).toHaveLength(1);
    expect(await testApp.sql`SELECT FROM message_texts WHERE folded_text LIKE '%2135550100%'`).toHaveLength(
      0,
    );
  });
});

test('a message is found in every block of a long conversation', async () => {
  const id = await start(maya, noah, ...Array.from({ length: 45 }, (_, n) => `number ${n + 1}.`));
  await foldNewMessages(testApp.app);
  await client.send(maya, id, 'number 46.');
  await foldNewMessages(testApp.app);
  await client.send(maya, id, 'number 47.');
  for (const seq of [1, 20, 21, 40, 41, 46, 47])
    expect(await search(maya, `number ${seq}.`)).toMatchObject([{ found: [{ seq }] }]);
});

test('a search finds names and titles, archived conversations too, and keeps to the tab', async () => {
  const bought = await start(maya, noah, 'Hello');
  const sold = await start(noah, maya, 'Hello');
  const toIds = (items: Inbox['items']) => items.map(({ id }) => id);
  expect(toIds(await search(maya, 'noah p'))).toEqual([sold, bought]);
  expect(toIds(await search(noah, 'muller'))).toEqual([sold, bought]);
  expect(toIds(await search(maya, 'oak desk', '&tab=buying'))).toEqual([bought]);
  expect(toIds(await search(maya, 'oak desk', '&tab=selling'))).toEqual([sold]);
  expect(toIds(await search(maya, 'oak desk', '&tab=unread'))).toEqual([sold]);
  await client.ask(maya, 'PATCH', client.at(bought), { archived: true });
  expect(toIds(await search(maya, 'oak desk'))).toEqual([sold, bought]);
  expect(toIds(await search(maya, 'oak desk', '&archived=true'))).toEqual([bought]);
});

test('a search text of 10 KB is refused with a sentence, and a blank one searches nothing', async () => {
  const id = await start(maya, noah, 'Hello');
  const { status, body } = await client.ask(maya, 'GET', `/rest/v1/conversations?q=${'a'.repeat(10_000)}`);
  expect([status, body.fields]).toEqual([400, { q: 'Please search for something shorter' }]);
  expect(await search(maya, ' ')).toMatchObject([{ id }]);
});

test('the hourly job reads only conversations with messages that are not folded yet', async () => {
  const id = await start(maya, noah, 'one');
  await testApp.sql`
    INSERT INTO conversations (listing_title, buyer_id, seller_id, last_seq, folded_seq, created_at, updated_at)
    SELECT 'Desk', ${maya.userId}, ${noah.userId}, 0, 0, ${testApp.clock.now()}, ${testApp.clock.now()}
    FROM generate_series(1, 2000)`;
  await foldNewMessages(testApp.app);
  await testApp.sql`ANALYZE conversations`;
  await client.send(maya, id, 'two');
  const plans = await explainSentStatements(testApp.databaseUrl, (sql) =>
    listUnfoldedConversations(sql, { afterId: nilUuid, limit: 100 }),
  );
  expect(countRowsRead(plans, 'conversations')).toBe(1);
  await foldNewMessages(testApp.app);
  expect(await listUnfoldedConversations(testApp.sql, { afterId: nilUuid, limit: 100 })).toEqual([]);
});
