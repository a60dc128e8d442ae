import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient, getMessageTexts } from '#server/testing/conversations.ts';
import { insertPhoto } from '#server/testing/listings.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let seller: Person;
let buyer: Person;
let stranger: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
  stranger = await testApp.signIn({ fullName: 'Stan Stranger' });
});
beforeEach(() => {
  testApp.mails.length = 0;
});
afterAll(() => testApp.close());

test('returns pages of the newest, earlier and later messages', async () => {
  const { id } = await conversationClient.begin(buyer, seller);
  for (let index = 1; index <= 7; index += 1) await conversationClient.send(buyer, id, `${index}`);
  const page = async (query: string) => {
    const { body } = await conversationClient.ask(
      seller,
      'GET',
      conversationClient.at(id, `/messages?${query}`),
    );
    return [getMessageTexts(body.items).join(''), body.more];
  };
  expect(await page('limit=3')).toEqual(['567', true]);
  expect(await page('limit=3&before_seq=5')).toEqual(['234', true]);
  expect(await page('limit=3&before_seq=4')).toEqual(['123', false]);
  expect(await page('limit=3&after_seq=0')).toEqual(['123', true]);
  expect(await page('limit=3&after_seq=4')).toEqual(['567', false]);
  expect(await page('after_seq=7')).toEqual(['', false]);
  expect(await page('')).toEqual(['1234567', false]);
  for (const query of ['limit=0', 'limit=501', 'after_seq=-1', 'before_seq=x']) {
    expect(
      (await conversationClient.ask(seller, 'GET', conversationClient.at(id, `/messages?${query}`))).status,
    ).toBe(400);
  }
});

test('the read position, which determines unread counts, never moves back or past the last message', async () => {
  const fresh = await testApp.signIn({ fullName: 'Fred Fresh' });
  const { id } = await conversationClient.begin(buyer, fresh);
  const other = (await conversationClient.begin(stranger, fresh)).id;
  await conversationClient.send(buyer, id, 'one');
  await conversationClient.send(buyer, id, 'two');
  await conversationClient.send(stranger, other, 'three');
  const inbox = async () => {
    const { items } = (await conversationClient.ask(fresh, 'GET', '/rest/v1/conversations')).body;
    const { unread_total } = (await conversationClient.ask(fresh, 'GET', '/rest/v1/conversations/unread'))
      .body;
    return [items.map((item: Conversation) => item.unread_count).sort(), unread_total];
  };
  const mark = (seq: number) =>
    conversationClient.ask(fresh, 'POST', conversationClient.at(id, '/read'), { seq });
  expect(await inbox()).toEqual([[1, 2], 3]);
  expect((await mark(1)).body).toEqual({ conversation_id: id, unread_count: 1, unread_total: 2 });
  expect((await mark(99)).body).toEqual({ conversation_id: id, unread_count: 0, unread_total: 1 });
  expect((await mark(0)).body).toEqual({ conversation_id: id, unread_count: 0, unread_total: 1 });
  await conversationClient.send(buyer, id, 'four');
  expect(await inbox()).toEqual([[1, 1], 2]);
  await conversationClient.send(fresh, id, 'Sending means having read');
  expect(await inbox()).toEqual([[0, 1], 1]);
  expect((await mark(-1)).status).toBe(400);
});

test('sending a message marks as read only the earlier messages that the sender had seen', async () => {
  const fresh = await testApp.signIn({ fullName: 'Fiona Fresh' });
  const { id } = await conversationClient.begin(fresh, seller);
  const read = async (person: Person) => {
    const { body } = await conversationClient.ask(person, 'GET', conversationClient.at(id));
    return body.unread_count;
  };
  const sendUnread = async (text: string, seenSeq: number) => {
    expect((await conversationClient.sendWithSeenSeq(fresh, id, text, seenSeq)).status).toBe(200);
    const unread_count = await read(fresh);
    const counts = await conversationClient.ask(fresh, 'POST', conversationClient.at(id, '/read'), {
      seq: 0,
    });
    expect(counts.body).toEqual({ conversation_id: id, unread_count, unread_total: unread_count });
    return unread_count;
  };
  expect(await sendUnread('Is the desk still there?', 0)).toBe(0);
  for (const text of ['It is.', 'But I leave at five!', 'Come at four?'])
    await conversationClient.send(seller, id, text);
  expect(await sendUnread('I can come at six', 1)).toBe(3);
  expect(await sendUnread('Or at seven', 1)).toBe(3);
  testApp.clock.advance(16 * 60);
  await testApp.jobs.repeatNow('queue-unread-mail');
  expect(testApp.mails).toContainEqual(
    expect.objectContaining({ kind: 'unread_messages', userId: fresh.userId }),
  );
  expect(await sendUnread('Before five, then', 3)).toBe(1);
  expect(await sendUnread('Or on Monday', 0)).toBe(1);
  expect(await sendUnread('Or on Sunday', 8)).toBe(0);
  expect(await sendUnread('Hello?', 7)).toBe(0);
  await conversationClient.send(seller, id, 'Sunday works');
  expect(await sendUnread('See you', 99)).toBe(0);
  expect(await read(seller)).toBe(1);
  expect((await conversationClient.sendWithSeenSeq(fresh, id, 'Bye', -1)).status).toBe(400);
});

test('messages that the recipient reads only after sending a later message trigger no email', async () => {
  const { id } = await conversationClient.begin(buyer, seller);
  const mark = (seq: number) =>
    conversationClient.ask(buyer, 'POST', conversationClient.at(id, '/read'), { seq });
  await conversationClient.send(buyer, id, 'Is the desk still there?');
  await conversationClient.send(seller, id, 'It is.');
  await conversationClient.send(seller, id, 'Come at four?');
  await conversationClient.sendWithSeenSeq(buyer, id, 'I am on a train', 1);
  expect((await mark(2)).body.unread_count).toBe(1);
  expect((await mark(3)).body.unread_count).toBe(0);
  const mailToBuyer = expect.objectContaining({ kind: 'unread_messages', userId: buyer.userId });
  testApp.clock.advance(14 * 60);
  await conversationClient.send(seller, id, 'Take your time');
  testApp.clock.advance(2 * 60);
  await testApp.jobs.repeatNow('queue-unread-mail');
  expect(testApp.mails).not.toContainEqual(mailToBuyer);
  testApp.clock.advance(13 * 60);
  await testApp.jobs.repeatNow('queue-unread-mail');
  expect(testApp.mails).toContainEqual(mailToBuyer);
});

test('concurrent messages in several conversations mark as read only what their senders had seen', async () => {
  const people = [await testApp.signIn(), await testApp.signIn()];
  const ids = await Promise.all(
    people.map(async (person) => (await conversationClient.begin(person, seller)).id),
  );
  for (const id of ids) await conversationClient.send(seller, id, 'Hello');
  await Promise.all(
    Array.from({ length: 10 }, (_, index) => `no. ${index}`).flatMap((text) =>
      people.flatMap((person, index) => [
        conversationClient.send(seller, ids[index] ?? '', text),
        // Only the second person has seen the first message.
        conversationClient.sendWithSeenSeq(person, ids[index] ?? '', text, index),
      ]),
    ),
  );
  const unread = people.map(
    async (person) => (await conversationClient.ask(person, 'GET', '/rest/v1/conversations/unread')).body,
  );
  expect(await Promise.all(unread)).toEqual([{ unread_total: 11 }, { unread_total: 10 }]);
});

test('the inbox lists the most recently active conversations first and matches the contract', async () => {
  const person = await testApp.signIn();
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    ids.push((await conversationClient.begin(person, seller)).id);
    testApp.clock.advance(1);
  }
  await conversationClient.send(seller, ids[0] ?? '', 'Up again');
  const { body } = await conversationClient.ask(person, 'GET', '/rest/v1/conversations');
  expect(calls.listConversations.output.parse(body)).toEqual(body);
  expect(body.items.map(({ id }: Conversation) => id)).toEqual([ids[0], ids[2], ids[1]]);
});

test('a conversation shows only the title of a listing that is unpublished or deleted', async () => {
  const { id, listing_id } = await conversationClient.begin(buyer, seller);
  const listing = async () =>
    (await conversationClient.ask(buyer, 'GET', conversationClient.at(id))).body.listing;
  const gone = {
    title: 'Solid oak desk',
    available: false,
    outcome: null,
    is_sale_asked: false,
    slug: null,
    category: null,
    price: null,
    rental_period: null,
    cover: null,
    away_until: null,
    unavailable: null,
  };
  const photos = [await insertPhoto(testApp, seller, 'desk.jpg')];
  await testApp.sql`
    UPDATE listings SET status = 'draft', title = 'A secret draft', photos = ${photos} WHERE id = ${listing_id}`;
  expect(await listing()).toEqual(gone);
  await testApp.sql`DELETE FROM listings WHERE id = ${listing_id}`;
  expect(await listing()).toEqual(gone);
  expect((await conversationClient.send(buyer, id, 'Still here?')).status).toBe(200);
});

test('a person who hides the full name is shown with the first part of the email address, never all of it', async () => {
  const shy = await testApp.signIn({ email: 'shy.student@usc.edu', fullName: 'Very Private' });
  testApp.mails.length = 0;
  await testApp.sql`UPDATE users SET show_full_name = false WHERE id = ${shy.userId}`;
  const { id } = await conversationClient.begin(shy, seller);
  await conversationClient.send(shy, id, 'Hello');
  const { body } = await conversationClient.ask(seller, 'GET', conversationClient.at(id));
  expect(body.other.name).toBe('shy.student');
  expect(JSON.stringify(body)).not.toMatch(/Private|@usc\.edu/);
  expect(testApp.mails).toMatchObject([{ buyerName: 'shy.student' }]);
});

test('the messages of a deleted party remain, and no reply is possible', async () => {
  const leaver = await testApp.signIn();
  const { id } = await conversationClient.begin(leaver, seller);
  const clientId = randomUUID();
  const mine = await conversationClient.send(seller, id, 'Hello', clientId);
  await conversationClient.send(leaver, id, 'Bye');
  await testApp.sql`DELETE FROM users WHERE id = ${leaver.userId}`;
  const { body } = await conversationClient.ask(seller, 'GET', conversationClient.at(id));
  expect(body).toMatchObject({ other: null, buyer_id: null, last_message: { sender_id: null } });
  expect(
    getMessageTexts(
      (await conversationClient.ask(seller, 'GET', conversationClient.at(id, '/messages'))).body.items,
    ),
  ).toEqual(['Hello', 'Bye']);
  expect(await conversationClient.send(seller, id, 'Are you there?')).toMatchObject({
    status: 409,
    body: { code: 'recipient_gone', error: 'This account was deleted. You can still read the conversation.' },
  });
  expect(await conversationClient.send(seller, id, 'Hello', clientId)).toEqual(mine);
});
