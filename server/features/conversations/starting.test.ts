import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newAccountSeconds, newConversationLimits } from '#contract/limits.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient, insertDeskListing } from '#server/testing/conversations.ts';

let testApp: TestApp;
let conversationClient: ReturnType<typeof createConversationClient>;
let seller: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  conversationClient = createConversationClient(testApp);
  seller = await testApp.signIn();
});
afterAll(() => testApp.close());

const insertDeskListings = (count: number) =>
  Promise.all(Array.from({ length: count }, () => insertDeskListing(testApp, seller)));
const findConversation = (person: Person, listing: string) =>
  conversationClient.ask(person, 'GET', `/rest/v1/conversations/about/${listing}`);
const listInbox = async (person: Person): Promise<{ id: string }[]> =>
  (await conversationClient.ask(person, 'GET', '/rest/v1/conversations')).body.items;

/** Opens the conversation and sends its first message, as the message dialog does. */
const startConversation = async (buyer: Person, listing: string, clientId: string = randomUUID()) => {
  const { body } = await conversationClient.open(buyer, listing);
  return conversationClient.send(buyer, body.id, 'Is it still there?', clientId);
};
const startConversationAndGetStatus = async (buyer: Person, listing: string) =>
  (await startConversation(buyer, listing)).status;

describe('the limit on new conversations', () => {
  test('a new account can start 20 conversations a day; opened and existing conversations do not count', async () => {
    const buyer = await testApp.signIn();
    const [first = '', ...others] = await insertDeskListings(newConversationLimits.new.points + 6);
    for (const listing of [first, ...others])
      expect((await conversationClient.open(buyer, listing)).status).toBe(200);
    for (const listing of [first, ...others.slice(0, newConversationLimits.new.points - 1)])
      expect(await startConversationAndGetStatus(buyer, listing)).toBe(200);
    const last = others.at(-1) ?? '';
    const { body } = await conversationClient.open(buyer, last);
    testApp.clock.advance(1800);
    const refused = await testApp.server.inject({
      method: 'POST',
      url: `/rest/v1/conversations/${body.id}/messages`,
      headers: buyer.headers,
      payload: { client_id: randomUUID(), message_text: 'One more' },
    });
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe(String(newConversationLimits.new.seconds - 1800));
    expect(refused.json()).toEqual({
      code: 'rate_limited',
      error: "You've started a lot of conversations. You can start another one in 24 hours.",
    });
    expect(await startConversationAndGetStatus(buyer, first)).toBe(200);
    expect((await findConversation(buyer, last)).status).toBe(200);

    testApp.clock.advance(newConversationLimits.new.seconds - 1800);
    const renewed = await testApp.server.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: buyer.refreshToken },
    });
    const tomorrow = { ...buyer, headers: { authorization: `Bearer ${renewed.json().access_token}` } };
    expect(await startConversationAndGetStatus(tomorrow, last)).toBe(200);
  });

  test('for a new account, 20 of 30 concurrent first messages succeed', async () => {
    const buyer = await testApp.signIn();
    const statuses = await Promise.all(
      (await insertDeskListings(30)).map((listing) => startConversationAndGetStatus(buyer, listing)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(newConversationLimits.new.points);
    expect(statuses.filter((status) => status === 429)).toHaveLength(30 - newConversationLimits.new.points);
  });

  test('an account that is a week old can start 60 conversations an hour', async () => {
    const buyer = await testApp.signIn();
    const weekAgo = new Date(testApp.clock.now().getTime() - newAccountSeconds * 1000);
    await testApp.sql`UPDATE users SET created_at = ${weekAgo} WHERE id = ${buyer.userId}`;
    const listings = await insertDeskListings(newConversationLimits.known.points + 1);
    const last = listings.pop() ?? '';
    for (const listing of listings) expect(await startConversationAndGetStatus(buyer, listing)).toBe(200);
    expect(await startConversationAndGetStatus(buyer, last)).toBe(429);
  });

  test('a conversation opened long ago counts from its first message', async () => {
    const buyer = await testApp.signIn();
    const [early = '', ...others] = await insertDeskListings(newConversationLimits.new.points + 1);
    const { body } = await conversationClient.open(buyer, early);
    const twoDaysAgo = new Date(testApp.clock.now().getTime() - 2 * newConversationLimits.new.seconds * 1000);
    await testApp.sql`
      UPDATE conversations SET created_at = ${twoDaysAgo}, updated_at = ${twoDaysAgo} WHERE id = ${body.id}`;
    expect(await startConversationAndGetStatus(buyer, early)).toBe(200);
    const last = others.pop() ?? '';
    for (const listing of others) expect(await startConversationAndGetStatus(buyer, listing)).toBe(200);
    expect(await startConversationAndGetStatus(buyer, last)).toBe(429);
  });
});

describe('promise 28: concurrent first messages', () => {
  test('promise 28: fifty concurrent open-and-send pairs create one conversation', async () => {
    const buyer = await testApp.signIn();
    const listing = await insertDeskListing(testApp, seller);
    testApp.mails.length = 0;
    const sent = await Promise.all(Array.from({ length: 50 }, () => startConversation(buyer, listing)));
    expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([200]));
    expect(new Set(sent.map(({ body }) => body.conversation_id)).size).toBe(1);
    expect(sent.map(({ body }) => body.seq).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 1),
    );
    expect(testApp.mails).toHaveLength(1);
  });

  test('promise 28: a first message sent fifty times with one client id is stored once', async () => {
    const buyer = await testApp.signIn();
    const listing = await insertDeskListing(testApp, seller);
    const clientId = randomUUID();
    const sent = await Promise.all(
      Array.from({ length: 50 }, () => startConversation(buyer, listing, clientId)),
    );
    expect(new Set(sent.map(({ body }) => body.id)).size).toBe(1);
    const rows = await testApp.sql`
      SELECT 1 FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE c.listing_id = ${listing}`;
    expect(rows.count).toBe(1);
  });
});

describe('a conversation without a message', () => {
  test('promise 56: is hidden from the seller in the inbox, by id and in the data export', async () => {
    const buyer = await testApp.signIn();
    const owner = await testApp.signIn();
    const { id } = await conversationClient.begin(buyer, owner);
    const data = async () =>
      (await conversationClient.ask(owner, 'GET', '/rest/v1/me/data')).body.conversations;
    expect(await listInbox(owner)).toEqual([]);
    expect(await conversationClient.ask(owner, 'GET', conversationClient.at(id))).toMatchObject({
      status: 404,
      body: { code: 'conversation_not_found' },
    });
    expect(await data()).toEqual([]);
    expect(await listInbox(buyer)).toMatchObject([{ id }]);

    await conversationClient.send(buyer, id, 'Hello');
    expect(await listInbox(owner)).toMatchObject([{ id }]);
    expect((await conversationClient.ask(owner, 'GET', conversationClient.at(id))).status).toBe(200);
    expect(await data()).toHaveLength(1);
  });
});

describe('finding the conversation about a listing', () => {
  beforeEach(async () => {
    // Sign in again, because earlier tests have advanced the clock beyond the end of the seller's session.
    seller = await testApp.signIn();
  });

  test('returns null until a conversation exists, and writes nothing', async () => {
    const buyer = await testApp.signIn();
    const listing = await insertDeskListing(testApp, seller);
    expect(await findConversation(buyer, listing)).toEqual({ status: 200, body: { conversation: null } });
    const rows = await testApp.sql`SELECT 1 FROM conversations WHERE listing_id = ${listing}`;
    expect(rows.count).toBe(0);
    const { body } = await startConversation(buyer, listing);
    expect((await findConversation(buyer, listing)).body.conversation).toMatchObject({
      id: body.conversation_id,
      last_message: { message_text: 'Is it still there?' },
    });
  });

  test('is refused in the same cases as opening one, but still finds a conversation whose listing is gone', async () => {
    const buyer = await testApp.signIn();
    const listing = await insertDeskListing(testApp, seller);
    expect(await findConversation(seller, listing)).toMatchObject({
      status: 409,
      body: { code: 'own_listing' },
    });
    expect(await findConversation(buyer, randomUUID())).toMatchObject({
      status: 404,
      body: { code: 'listing_not_found' },
    });
    await startConversation(buyer, listing);
    await testApp.sql`UPDATE listings SET status = 'draft' WHERE id = ${listing}`;
    expect((await findConversation(buyer, listing)).body.conversation).toMatchObject({
      listing: { available: false },
    });
    expect(await findConversation(await testApp.signIn(), listing)).toMatchObject({ status: 404 });
  });
});
