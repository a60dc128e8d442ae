import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  createConversationClient,
  getMessageTexts,
  insertDeskListing,
} from '#server/testing/conversations.ts';
import { insertPhoto } from '#server/testing/listings.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let seller: Person;
let buyer: Person;
let stranger: Person;
let listingId: string;

beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
  seller = await testApp.signIn({ fullName: 'Sally Seller' });
  buyer = await testApp.signIn({ fullName: 'Ben Buyer' });
  stranger = await testApp.signIn({ fullName: 'Stan Stranger' });
});
beforeEach(async () => {
  listingId = await insertDeskListing(testApp, seller);
  testApp.mails.length = 0;
});
afterAll(() => testApp.close());

const openConversation = (person = buyer, listing = listingId) => conversationClient.open(person, listing);

describe('opening', () => {
  test('returns the listing, the other party and no messages', async () => {
    const conversation: Conversation = (await openConversation()).body;
    expect(calls.openConversation.output.parse(conversation)).toEqual(conversation);
    expect(conversation).toMatchObject({
      listing_id: listingId,
      buyer_id: buyer.userId,
      seller_id: seller.userId,
      listing: { title: 'Solid oak desk', available: true, price: 45.5, cover: null },
      other: { id: seller.userId, name: 'Sally Seller', usc_verified: true },
      last_message: null,
      unread_count: 0,
      may_write: true,
    });
    await conversationClient.send(buyer, conversation.id, 'Hello');
    expect(
      (await conversationClient.ask(seller, 'GET', conversationClient.at(conversation.id))).body.other.name,
    ).toBe('Ben Buyer');
  });

  test('says whether the account of the other party is less than a week old', async () => {
    const { id } = (await openConversation()).body;
    await conversationClient.send(buyer, id, 'Hello');
    const isNew = async () =>
      (await conversationClient.ask(seller, 'GET', conversationClient.at(id))).body.other.is_new_account;
    const { created_at } = (
      await testApp.sql`SELECT created_at FROM users WHERE id = ${buyer.userId}`
    )[0] as {
      created_at: Date;
    };
    const setAge = (ms: number) =>
      testApp.sql`UPDATE users SET created_at = ${new Date(testApp.clock.now().getTime() - ms)} WHERE id = ${buyer.userId}`;
    const weekInMs = 7 * 24 * 3_600_000;
    await setAge(weekInMs - 1000);
    expect(await isNew()).toBe(true);
    await setAge(weekInMs);
    expect(await isNew()).toBe(false);
    await testApp.sql`UPDATE users SET created_at = ${created_at} WHERE id = ${buyer.userId}`;
  });

  test('returns the cover photo with its size and placeholder', async () => {
    const url = await insertPhoto(testApp, seller, 'desk.jpg');
    await testApp.sql`UPDATE listings SET photos = ${[url]} WHERE id = ${listingId}`;
    const { listing } = (await openConversation()).body;
    expect(listing).toMatchObject({
      cover: { url, width: 1600, height: 1200, thumbhash: 'abc=' },
    });
  });

  test('is refused for the caller’s own listing, a draft and an unknown listing', async () => {
    expect(await openConversation(seller)).toMatchObject({ status: 409, body: { code: 'own_listing' } });
    await testApp.sql`UPDATE listings SET status = 'draft' WHERE id = ${listingId}`;
    for (const [person, listing] of [
      [buyer, listingId],
      [seller, listingId],
      [buyer, randomUUID()],
    ] as const) {
      expect(await openConversation(person, listing)).toMatchObject({
        status: 404,
        body: { code: 'listing_not_found' },
      });
    }
    expect(await openConversation(buyer, 'nonsense')).toMatchObject({
      status: 400,
      body: { code: 'validation_failed' },
    });
  });

  test('promise 28: fifty concurrent requests find or create one conversation', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => openConversation()));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    const rows = await testApp.sql`SELECT 1 FROM conversations WHERE listing_id = ${listingId}`;
    expect(rows.count).toBe(1);
  });
});

describe('strangers', () => {
  test('promise 17: another person’s conversation looks like one that does not exist', async () => {
    const { id } = await conversationClient.begin(buyer, seller);
    await conversationClient.send(buyer, id, 'Between us');
    const attempts = (target: string) =>
      Promise.all([
        conversationClient.ask(stranger, 'GET', conversationClient.at(target)),
        conversationClient.ask(stranger, 'GET', conversationClient.at(target, '/messages')),
        conversationClient.ask(stranger, 'GET', conversationClient.at(target, '/messages?after_seq=0')),
        conversationClient.send(stranger, target, 'Let me in'),
        conversationClient.ask(stranger, 'POST', conversationClient.at(target, '/read'), { seq: 1 }),
        conversationClient.ask(stranger, 'POST', '/functions/v1/notify-seller-new-message', {
          conversationId: target,
        }),
      ]);
    const foreign = await attempts(id);
    expect(foreign).toEqual(await attempts(randomUUID()));
    expect(new Set(foreign.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['404 conversation_not_found']),
    );
    expect(await conversationClient.ask(stranger, 'GET', conversationClient.at('nonsense'))).toEqual(
      foreign[0],
    );
    expect(
      getMessageTexts(
        (await conversationClient.ask(buyer, 'GET', conversationClient.at(id, '/messages'))).body.items,
      ),
    ).toEqual(['Between us']);
  });

  test('visitors get 401 not_authenticated', async () => {
    const reply = await testApp.server.inject({ method: 'GET', url: '/rest/v1/conversations' });
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'not_authenticated']);
  });
});
