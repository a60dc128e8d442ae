import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { Conversation, Message } from '#contract/conversations.ts';
import { newConversationLimits } from '#contract/limits.ts';
import { createDealEventLine } from '#contract/testing.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  createConversationClient,
  getMessageTexts,
  insertDeskListing,
} from '#server/testing/conversations.ts';
import { appendEventLine } from '#server/testing/event-lines.ts';
import { appendEventLine as appendLine, findEventLine, openForOffer } from './event-lines.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let seller: Person;
let buyer: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
});
beforeEach(async () => {
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
  testApp.mails.length = 0;
});
afterAll(() => testApp.close());

const listMessages = async (person: Person, id: string): Promise<Message[]> =>
  (await conversationClient.ask(person, 'GET', conversationClient.at(id, '/messages?limit=500'))).body.items;
const getConversation = async (person: Person, id: string): Promise<Conversation> =>
  (await conversationClient.ask(person, 'GET', conversationClient.at(id))).body;
const markRead = (person: Person, id: string, seq: number) =>
  conversationClient.ask(person, 'POST', conversationClient.at(id, '/read'), { seq });
/**
 * Returns the unread count of a conversation, for a person who has no other unread conversations. Expects that all
 * calls that return the count agree.
 */
const countUnread = async (person: Person, id: string): Promise<number> => {
  const { unread_count } = await getConversation(person, id);
  const { body: inbox } = await conversationClient.ask(person, 'GET', '/rest/v1/conversations');
  const { body: total } = await conversationClient.ask(person, 'GET', '/rest/v1/conversations/unread');
  expect(inbox.items.find((it: Conversation) => it.id === id)?.unread_count).toBe(unread_count);
  expect(total.unread_total).toBe(unread_count);
  return unread_count;
};
const beginWithMessage = async (): Promise<string> => {
  const { id } = await conversationClient.begin(buyer, seller);
  await conversationClient.send(buyer, id, 'Is it still there?');
  return id;
};

test('an event line is numbered like a message, and every response contains its kind and data', async () => {
  const id = await beginWithMessage();
  await appendEventLine(testApp, { conversationId: id, actorId: buyer.userId });
  await appendEventLine(testApp, { conversationId: id, actorId: null });
  const { body } = await conversationClient.ask(seller, 'GET', conversationClient.at(id, '/messages'));
  expect(calls.listMessages.output.parse(body)).toEqual(body);
  expect(body.items).toMatchObject([
    { seq: 1, kind: 'text', data: null, sender_id: buyer.userId, message_text: 'Is it still there?' },
    {
      ...{ seq: 2, kind: 'deal', data: createDealEventLine(), sender_id: buyer.userId },
      message_text: 'The buyer offered $110.',
    },
    {
      ...{ seq: 3, kind: 'system', sender_id: null, data: { transition: 'expire', by: null } },
      message_text: 'The offer expired without an answer.',
    },
  ]);
  expect(body.items[2].id).toBe(body.items[2].client_id);
  const conversation = await getConversation(seller, id);
  expect(calls.getConversation.output.strict().parse(conversation)).toEqual(conversation);
  expect(conversation.last_message).toMatchObject({ seq: 3, kind: 'system', data: { state: 'expired' } });
});

describe('unread counts', () => {
  test.each([
    ['after reading everything', 1, { buyer: 0, seller: 1 }],
    ['with unread messages', 0, { buyer: 1, seller: 1 }],
  ])('an event line is unread only for the other party: %s', async (_case, readUpTo, expected) => {
    const id = await beginWithMessage();
    await markRead(seller, id, 1);
    await conversationClient.send(seller, id, 'Yes');
    if (readUpTo > 0) await markRead(buyer, id, 2);
    await appendEventLine(testApp, { conversationId: id, actorId: buyer.userId });
    expect({ buyer: await countUnread(buyer, id), seller: await countUnread(seller, id) }).toEqual(expected);
  });

  test('an event line without an actor is unread for both parties', async () => {
    const id = await beginWithMessage();
    await appendEventLine(testApp, { conversationId: id, actorId: null });
    expect([await countUnread(buyer, id), await countUnread(seller, id)]).toEqual([1, 2]);
  });

  test('reading and sending mark event lines as read, too', async () => {
    const id = await beginWithMessage();
    await conversationClient.send(seller, id, 'Yes');
    await appendEventLine(testApp, { conversationId: id, actorId: buyer.userId, messageText: 'As agreed' });
    await conversationClient.send(seller, id, 'Thanks');
    expect(await countUnread(buyer, id)).toBe(2);
    expect((await markRead(buyer, id, 2)).body).toMatchObject({ unread_count: 1, unread_total: 1 });
    await conversationClient.send(buyer, id, 'See you');
    expect(await countUnread(buyer, id)).toBe(0);
  });

  test('the counts equal those of a simple model for random actions of both parties and the server', async () => {
    const party = fc.constantFrom('buyer' as const, 'seller' as const);
    const step = fc.oneof(
      fc.record({ kind: fc.constant('send' as const), by: party }),
      fc.record({ kind: fc.constant('act' as const), by: party, withMessage: fc.boolean() }),
      fc.record({ kind: fc.constant('clock' as const) }),
      fc.record({ kind: fc.constant('read' as const), by: party, seq: fc.nat(12) }),
    );
    const run = async (steps: (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[]) => {
      const people = { buyer, seller };
      const { id } = await conversationClient.begin(people.buyer, people.seller);
      await conversationClient.send(people.buyer, id, 'Hi');
      const senders: ('buyer' | 'seller' | 'server')[] = ['buyer'];
      const readUpTo = { buyer: 1, seller: 0 };
      for (const it of steps) {
        if (it.kind === 'send') {
          await conversationClient.send(people[it.by], id, 'Hi');
          readUpTo[it.by] = senders.push(it.by);
        } else if (it.kind === 'act') {
          const messageText = it.withMessage ? 'Hi' : undefined;
          const actorId = people[it.by].userId;
          await appendEventLine(testApp, { conversationId: id, actorId, messageText });
          senders.push(it.by, ...(it.withMessage ? [it.by] : []));
        } else if (it.kind === 'clock') {
          await appendEventLine(testApp, { conversationId: id, actorId: null });
          senders.push('server');
        } else {
          await markRead(people[it.by], id, it.seq);
          readUpTo[it.by] = Math.max(readUpTo[it.by], Math.min(it.seq, senders.length));
        }
      }
      for (const name of ['buyer', 'seller'] as const) {
        const expected = senders.slice(readUpTo[name]).filter((sender) => sender !== name).length;
        expect(await countUnread(people[name], id)).toBe(expected);
        expect((await markRead(people[name], id, senders.length)).body.unread_total).toBe(0);
      }
    };
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 12 }), run), { numRuns: 15 });
  });
});

describe('promise 63: a repeated event line', () => {
  test('is stored once per client id, even by concurrent requests', async () => {
    const id = await beginWithMessage();
    for (const actorId of [buyer.userId, null]) {
      const line = { conversationId: id, actorId, clientId: randomUUID(), messageText: 'I could come today' };
      const stored = await Promise.all(Array.from({ length: 8 }, () => appendEventLine(testApp, line)));
      expect(new Set(stored.map(({ seq }) => seq)).size).toBe(1);
    }
    expect((await listMessages(buyer, id)).map(({ kind }) => kind)).toEqual([
      ...['text', 'deal', 'text', 'system', 'text'],
    ]);
  });

  test('is refused when its client id belongs to a message', async () => {
    const id = await beginWithMessage();
    const clientId = randomUUID();
    await conversationClient.send(buyer, id, 'Hi', clientId);
    const repeated = appendEventLine(testApp, { conversationId: id, actorId: buyer.userId, clientId });
    await expect(repeated).rejects.toMatchObject({ code: 'validation_failed' });
    expect(await listMessages(buyer, id)).toHaveLength(2);
  });

  test('is found by its client id', async () => {
    const id = await beginWithMessage();
    const clientId = randomUUID();
    const find = (actorId: string) => findEventLine(testApp.sql, { conversationId: id, actorId, clientId });
    expect(await find(buyer.userId)).toBeUndefined();
    const line = await appendEventLine(testApp, { conversationId: id, actorId: buyer.userId, clientId });
    expect(await find(buyer.userId)).toEqual(line);
    expect(await find(seller.userId)).toBeUndefined();
  });
});

describe('an offer that opens a conversation', () => {
  const offer = async (listingId: string, buyerId = buyer.userId) => {
    const app = { ...testApp.app, mail: { assertSending: () => {}, send: async () => {} } };
    return runInTransaction(app.sql, async (tx) => {
      const now = testApp.clock.now();
      const conversationId = await openForOffer(app, tx, { listingId, buyerId, now });
      await appendLine(app, tx, {
        ...{ conversationId, actorId: buyerId, clientId: randomUUID(), now },
        ...{
          text: 'The buyer offered $110.',
          data: createDealEventLine(),
          isAutomatic: false,
          silentFor: null,
        },
      });
      return conversationId;
    });
  };

  test('creates the conversation only once, even for concurrent offers, and is unread for the seller', async () => {
    const listing = await insertDeskListing(testApp, seller);
    const ids = await Promise.all(Array.from({ length: 5 }, () => offer(listing)));
    expect(new Set(ids).size).toBe(1);
    expect((await getConversation(seller, ids[0] ?? '')).unread_count).toBe(5);
  });

  test('sends the seller one email with the offer and its message, and no further email later', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    await appendEventLine(testApp, {
      ...{ conversationId: id, actorId: buyer.userId, messageText: 'I could pick it up today.' },
    });
    expect(testApp.mails).toMatchObject([
      {
        ...{ kind: 'first_message', to: seller.email, buyerName: 'Ben Buyer' },
        messageText: 'The buyer offered $110.\n\nI could pick it up today.',
        toSeq: 2,
      },
    ]);
    expect(getMessageTexts(await listMessages(seller, id))).toHaveLength(2);
    testApp.clock.advance(3600);
    await testApp.jobs.repeatNow('queue-unread-mail');
    expect(testApp.mails.filter(({ to }) => to === seller.email)).toHaveLength(1);
  });

  test('sends an email that says that nobody wrote if the offer has no message', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    await appendEventLine(testApp, { conversationId: id, actorId: buyer.userId });
    expect(testApp.mails).toMatchObject([
      { kind: 'first_message', messageText: 'The buyer offered $110.', isWritten: false },
    ]);
  });

  test('counts against the limit on new conversations', async () => {
    const listings = await Promise.all(
      Array.from({ length: newConversationLimits.new.points + 1 }, () => insertDeskListing(testApp, seller)),
    );
    for (const listing of listings.slice(1)) await offer(listing);
    await expect(offer(listings[0] ?? '')).rejects.toMatchObject({ code: 'rate_limited' });
    const [row] = await testApp.sql`SELECT FROM conversations WHERE listing_id = ${listings[0] ?? ''}`;
    expect(row).toBeUndefined();
    // Offers in existing conversations do not count toward the limit on new conversations.
    await offer(listings[1] ?? '');
  });

  test('is refused for own, unpublished and unknown listings', async () => {
    const listing = await insertDeskListing(testApp, seller);
    await expect(offer(listing, seller.userId)).rejects.toMatchObject({ code: 'own_listing' });
    await testApp.sql`UPDATE listings SET status = 'draft' WHERE id = ${listing}`;
    await expect(offer(listing)).rejects.toMatchObject({ code: 'listing_not_found' });
    await expect(offer(randomUUID())).rejects.toMatchObject({ code: 'listing_not_found' });
  });
});

describe('emails about unread messages', () => {
  const runDigest = async () => {
    testApp.clock.advance(3600);
    await testApp.jobs.repeatNow('queue-unread-mail');
    return testApp.mails.filter(
      ({ kind, to }) => kind === 'unread_messages' && [buyer.email, seller.email].includes(to),
    );
  };

  test('mention event lines to everybody except their actor', async () => {
    const id = await beginWithMessage();
    await conversationClient.send(seller, id, 'Yes');
    await markRead(buyer, id, 2);
    await appendEventLine(testApp, { conversationId: id, actorId: seller.userId });
    expect(await runDigest()).toMatchObject([
      { to: buyer.email, waiting: [{ conversationId: id, fromSeq: 3, toSeq: 3 }] },
    ]);
    testApp.mails.length = 0;
    await appendEventLine(testApp, { conversationId: id, actorId: null });
    expect((await runDigest()).map(({ to }) => to).sort()).toEqual([buyer.email, seller.email].sort());
  });

  test('a person who added an event line still gets the email about earlier messages', async () => {
    const id = await beginWithMessage();
    await conversationClient.send(seller, id, 'Yes');
    await appendEventLine(testApp, { conversationId: id, actorId: buyer.userId });
    const mails = await runDigest();
    expect(mails.map(({ to }) => to).sort()).toEqual([buyer.email, seller.email].sort());
  });
});

test('an event line without an actor reaches the remaining party after the other account was deleted', async () => {
  const id = await beginWithMessage();
  await appendEventLine(testApp, { conversationId: id, actorId: buyer.userId });
  await testApp.sql`UPDATE conversations SET buyer_id = NULL WHERE id = ${id}`;
  await appendEventLine(testApp, { conversationId: id, actorId: null });
  expect(await countUnread(seller, id)).toBe(3);
  const [row] = await testApp.sql`SELECT buyer_waiting_since FROM conversations WHERE id = ${id}`;
  expect(row).toEqual({ buyer_waiting_since: null });
  await testApp.sql`DELETE FROM conversations WHERE id = ${id}`;
  await expect(appendEventLine(testApp, { conversationId: id, actorId: null })).rejects.toMatchObject({
    code: 'conversation_not_found',
  });
});
