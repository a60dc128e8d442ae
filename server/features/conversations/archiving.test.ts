import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Conversation, Inbox } from '#contract/conversations.ts';
import { type ConversationChange, mutedForGood } from '#contract/inbox.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { Person } from '#server/testing/app.ts';
import { appendEventLine } from '#server/testing/event-lines.ts';
import { startMailTestApp } from '#server/testing/mail-fixtures.ts';
import { findConversationPush } from './push-source.ts';

let server: Awaited<ReturnType<typeof startMailTestApp>>;
let buyer: Person;
let seller: Person;
let id: string;

beforeAll(async () => {
  server = await startMailTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  // 10 a.m. campus time, outside of quiet hours
  server.clock.set(new Date('2026-03-02T18:00:00.000Z'));
  seller = await server.signIn({ fullName: 'Sally Seller' });
  buyer = await server.signIn({ fullName: 'Ben Buyer' });
  ({ id } = await server.talk.begin(buyer, seller));
  await server.talk.send(buyer, id, 'Is the desk still there?');
  await server.deliver();
});

const list = async (person: Person, query = ''): Promise<string[]> => {
  const { body } = await server.talk.ask(person, 'GET', `/rest/v1/conversations${query}`);
  return (body as Inbox).items.map((item) => item.id);
};
const change = async (person: Person, given: ConversationChange): Promise<Conversation> => {
  const { status, body } = await server.talk.ask(person, 'PATCH', server.talk.at(id), given);
  expect(status).toBe(200);
  return body;
};
const countUnread = async (person: Person): Promise<number> =>
  (await server.talk.ask(person, 'GET', '/rest/v1/conversations/unread')).body.unread_total;
const read = async (person: Person): Promise<Conversation> =>
  (await server.talk.ask(person, 'GET', server.talk.at(id))).body;
const addOffer = async (turn: 'buyer' | 'seller', isWaiting = false): Promise<void> => {
  const now = server.clock.now();
  await server.sql`
    INSERT INTO deals (listing_id, conversation_id, buyer_id, seller_id, kind, state, turn, title, price, is_waiting,
      deadline_at, created_at, changed_at)
    SELECT listing_id, id, buyer_id, seller_id, 'sale', 'offered', ${turn}, 'Desk', 20, ${isWaiting},
      ${addSeconds(now, 3600)}, ${now}, ${now} FROM conversations WHERE id = ${id}`;
};
const endOffers = () =>
  server.sql`UPDATE deals SET state = 'declined', turn = NULL, deadline_at = NULL WHERE conversation_id = ${id}`;

describe('promise 102: an archived conversation', () => {
  test('leaves the inbox of one party, on all devices, until the next message', async () => {
    expect(await change(seller, { archived: true })).toMatchObject({ archived: true });
    expect([await list(seller), await list(seller, '?archived=true')]).toEqual([[], [id]]);
    expect([await list(buyer), await list(buyer, '?archived=true')]).toEqual([[id], []]);
    await server.talk.send(buyer, id, 'Hello?');
    expect([await list(seller), await list(seller, '?archived=true')]).toEqual([[id], []]);
    expect(await read(seller)).toMatchObject({ archived: false });
    await change(seller, { archived: true });
    expect(await change(seller, { archived: false })).toMatchObject({ archived: false });
    expect(await list(seller)).toEqual([id]);
  });

  test('stays in the inbox while a deal waits for its party', async () => {
    await addOffer('seller');
    expect(await change(seller, { archived: true })).toMatchObject({ archived: false });
    await change(buyer, { archived: true });
    expect([await list(seller), await list(seller, '?archived=true')]).toEqual([[id], []]);
    expect([await list(buyer), await list(buyer, '?archived=true')]).toEqual([[], [id]]);
    await server.sql`UPDATE deals SET turn = 'buyer' WHERE conversation_id = ${id}`;
    expect([await list(seller), await list(buyer)]).toEqual([[], [id]]);
    await endOffers();
    await addOffer('seller', true);
    expect(await list(seller), 'the offer waits for another deal').toEqual([]);
  });

  test('does not count as unread in total', async () => {
    expect(await countUnread(seller)).toBe(1);
    await change(seller, { archived: true });
    expect(await countUnread(seller)).toBe(0);
    await addOffer('seller');
    expect(await countUnread(seller)).toBe(1);
  });
});

describe('promise 102: a muted conversation', () => {
  const findPush = (kind: 'messages' | 'deals') =>
    findConversationPush(server.app, { userId: seller.userId, subjectId: id, kind, detail: '' });

  test('is unread, but causes neither pushes nor a number on the badge, until the mute ends', async () => {
    const until = addSeconds(server.clock.now(), 600).toISOString();
    expect(await change(seller, { muted_until: until })).toMatchObject({ muted_until: until });
    expect(await read(seller)).toMatchObject({ unread_count: 1, muted_until: until });
    expect(await list(seller, '?tab=unread')).toEqual([id]);
    expect([await countUnread(seller), await findPush('messages')]).toEqual([0, undefined]);
    expect((await read(buyer)).muted_until).toBeNull();
    server.clock.advance(600);
    expect(await read(seller)).toMatchObject({ unread_count: 1, muted_until: null });
    expect([await countUnread(seller), await findPush('messages')]).toMatchObject([
      1,
      { text: 'Is the desk still there?' },
    ]);
    await change(seller, { muted_until: mutedForGood });
    expect(await countUnread(seller)).toBe(0);
    expect(await change(seller, { muted_until: null })).toMatchObject({ muted_until: null });
  });

  test('still causes pushes and emails about deals, without the messages beside them', async () => {
    await change(seller, { muted_until: mutedForGood });
    await server.talk.send(buyer, id, 'Please answer');
    expect(await server.after(16 * 60, seller)).toEqual([]);
    await server.talk.send(buyer, id, 'Another message');
    await appendEventLine(server, { conversationId: id, actorId: buyer.userId });
    expect(await findPush('deals')).toBeDefined();
    const mails = await server.after(16 * 60, seller);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).not.toContain('Another message');
  });
});

describe('a conversation marked as unread', () => {
  test('counts as one unread message until it is opened', async () => {
    const markRead = (seq: number) => server.talk.ask(seller, 'POST', server.talk.at(id, '/read'), { seq });
    await markRead(1);
    expect(await list(seller, '?tab=unread')).toEqual([]);
    expect(await change(seller, { unread: true })).toMatchObject({ unread_count: 1 });
    expect([await countUnread(seller), await list(seller, '?tab=unread')]).toEqual([1, [id]]);
    expect(await countUnread(buyer)).toBe(0);
    await server.talk.send(buyer, id, 'Hello?');
    expect((await read(seller)).unread_count).toBe(1);
    expect((await markRead(1)).body).toMatchObject({ unread_count: 1, unread_total: 1 });
    await change(seller, { unread: true });
    expect((await markRead(2)).body).toMatchObject({ unread_count: 0, unread_total: 0 });
    await change(seller, { unread: true });
    await server.talk.send(seller, id, 'Yes');
    expect(await countUnread(seller)).toBe(0);
  });

  test('can be marked as read', async () => {
    expect(await change(seller, { unread: false })).toMatchObject({ unread_count: 0 });
    expect(await countUnread(seller)).toBe(0);
  });
});

test('nobody changes a conversation of others', async () => {
  const stranger = await server.signIn();
  expect(await server.talk.ask(stranger, 'PATCH', server.talk.at(id), { archived: true })).toMatchObject({
    status: 404,
  });
  expect(await list(seller)).toEqual([id]);
});

test('an invalid change is refused', async () => {
  for (const given of [{ muted_until: '0000-01-01T00:00:00.000Z' }, { muted_until: 'soon' }, { unread: 1 }])
    expect((await server.talk.ask(seller, 'PATCH', server.talk.at(id), given)).status).toBe(400);
});
