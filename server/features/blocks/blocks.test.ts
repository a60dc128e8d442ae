import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blockedPeoplePageSize, maxBlockedPeople } from '#contract/paging.ts';
import type { BusMessage } from '#contract/realtime.ts';
import { findUnreadDigest } from '#server/features/conversations/public.ts';
import { createDealClient } from '#server/features/deals/testing.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createConversationClient } from '#server/testing/conversations.ts';

let testApp: TestApp;
let deals: ReturnType<typeof createDealClient>;
let conversations: ReturnType<typeof createConversationClient>;
let ann: Person;
let ben: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  deals = createDealClient(testApp);
  conversations = createConversationClient(testApp);
});
beforeEach(async () => {
  ann = await testApp.signIn({ fullName: 'Ann Able' });
  ben = await testApp.signIn({ fullName: 'Ben Bold' });
});
afterAll(() => testApp.close());

const block = (person: Person, userId: string) =>
  deals.request(person, 'PUT', `/rest/v1/me/blocks/${userId}`);
const unblock = (person: Person, userId: string) =>
  deals.request(person, 'DELETE', `/rest/v1/me/blocks/${userId}`);
const listBlocks = async (person: Person, cursor?: string) =>
  (await deals.request(person, 'GET', `/rest/v1/me/blocks${cursor ? `?cursor=${cursor}` : ''}`)).body;

describe('the list of blocked people', () => {
  test('shows the most recently blocked people first, and nobody the caller has unblocked', async () => {
    const cora = await testApp.signIn();
    expect((await block(ann, ben.userId)).body).toEqual({ success: true });
    testApp.clock.advance(1);
    await block(ann, cora.userId);
    expect((await block(ann, cora.userId)).status).toBe(200);
    const { items, next_cursor } = await listBlocks(ann);
    expect(items.map((it: { user: { id: string } }) => it.user.id)).toEqual([cora.userId, ben.userId]);
    expect(items[1].user).toMatchObject({ name: 'Ben Bold', usc_verified: true });
    expect(next_cursor).toBe(null);
    expect((await deals.request(ann, 'GET', '/rest/v1/me/blocks/ids')).body).toEqual({
      user_ids: [cora.userId, ben.userId],
    });
    expect(await listBlocks(ben)).toEqual({ items: [], next_cursor: null });
    await unblock(ann, cora.userId);
    await unblock(ann, cora.userId);
    expect((await listBlocks(ann)).items).toHaveLength(1);
  });

  test('is read page by page, and has a maximum length', async () => {
    const now = testApp.clock.now();
    await testApp.sql`
      WITH people AS (
        INSERT INTO users (email, created_at, updated_at)
        SELECT 'someone-' || n || '-' || ${ann.userId}::text || '@usc.edu', ${now}, ${now}
        FROM generate_series(1, ${maxBlockedPeople}::int) AS n RETURNING id
      )
      INSERT INTO blocks (user_id, blocked_id, created_at) SELECT ${ann.userId}, id, ${now} FROM people`;
    expect((await block(ann, ben.userId)).body).toMatchObject({ code: 'blocks_full' });
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const { items, next_cursor } = await listBlocks(ann, cursor);
      expect(items.length).toBe(blockedPeoplePageSize);
      for (const { user } of items) seen.add(user.id);
      cursor = next_cursor ?? undefined;
    } while (cursor);
    expect(seen.size).toBe(maxBlockedPeople);
  });

  test('accepts neither the caller nor an unknown person', async () => {
    expect((await block(ann, ann.userId)).body).toMatchObject({ code: 'own_account' });
    expect((await block(ann, crypto.randomUUID())).body).toMatchObject({ code: 'user_not_found' });
  });
});

test.each(['the seller', 'the buyer'])(
  'promise 71: when %s blocks the other party, offers and holds between them end, and queues advance',
  async (who) => {
    const { seller, buyer, listingId, held, waiting, other } = await deals.holdListing({ price: 40 });
    const [blocker, blocked] = who === 'the seller' ? [seller, buyer] : [buyer, seller];
    const offered = (await deals.start(buyer, await deals.list(seller))).body;
    const readUnread = async (person: Person) =>
      (await deals.request(person, 'GET', `/rest/v1/conversations/${held.conversation_id}`)).body
        .unread_count;
    // One party reads the messages and the other does not; blocking must change neither unread count.
    await deals.request(blocker, 'POST', `/rest/v1/conversations/${held.conversation_id}/read`, { seq: 9 });
    const unreadBefore = [await readUnread(blocker), await readUnread(blocked)];
    await block(blocker, blocked.userId);
    await testApp.jobs.runAll();
    await testApp.jobs.runAll();
    expect((await deals.get(seller, held)).state).toBe('closed');
    expect((await deals.get(seller, offered)).state).toBe('closed');
    expect(await deals.get(other, waiting)).toMatchObject({ state: 'offered', waiting: false });
    const [listing] = await testApp.sql`SELECT is_on_hold FROM listings WHERE id = ${listingId}`;
    expect(listing).toEqual({ is_on_hold: false });
    expect((await deals.listLines(blocked, held)).at(-1)?.message_text).toBe(
      'This deal was closed: the two of you can’t contact each other right now.',
    );
    // Only the blocked person is notified of the end of the deal.
    expect([await readUnread(blocker), await readUnread(blocked)]).toEqual([
      unreadBefore[0],
      unreadBefore[1] + 1,
    ]);
    // The other buyer's offer no longer waits, so the seller can accept it.
    expect((await deals.take(seller, waiting, 'accept')).body).toMatchObject({ state: 'held' });
  },
);

test('promise 71: blocking does not end a rental that is out; both can write until the item is returned', async () => {
  const today = testApp.clock.now().toISOString().slice(0, 10);
  const days = { first_day: today, last_day: today };
  const listingId = await deals.list(ann, { category: 'rentals', price: 20 });
  const rental = (await deals.start(ben, listingId, days)).body;
  await deals.take(ann, rental, 'accept');
  await deals.take(ben, rental, 'received');
  await block(ann, ben.userId);
  await testApp.jobs.runAll();
  expect((await deals.get(ann, rental)).state).toBe('out');
  const { conversation_id: id } = rental;
  for (const person of [ann, ben]) {
    expect((await conversations.send(person, id, 'When do we meet?')).status).toBe(200);
    expect((await conversations.ask(person, 'GET', conversations.at(id))).body.may_write).toBe(true);
  }
  // The rental in progress keeps only its own conversation open: the two people cannot start another one.
  const desk = await deals.list(ann);
  expect((await conversations.open(ben, desk)).body).toMatchObject({ code: 'contact_refused' });

  expect((await deals.take(ann, rental, 'returned')).body.state).toBe('completed');
  for (const person of [ann, ben]) {
    expect((await conversations.send(person, id, 'One more thing')).body).toMatchObject({
      code: 'contact_refused',
    });
    expect((await conversations.ask(person, 'GET', conversations.at(id))).body.may_write).toBe(false);
    // The parties of a completed deal can review each other even after a block.
    const review = { rating: 4, tags: [], text: '' };
    expect((await deals.request(person, 'POST', `/rest/v1/deals/${rental.id}/review`, review)).status).toBe(
      200,
    );
  }
});

test('after a block, the deal of a buyer who objects to the handover is closed', async () => {
  const held = (await deals.start(ben, await deals.list(ann))).body;
  await deals.take(ann, held, 'accept');
  await deals.take(ann, held, 'handed_over');
  await block(ann, ben.userId);
  await testApp.jobs.runAll();
  expect((await deals.take(ben, held, 'object')).body.state).toBe('held');
  await testApp.jobs.runAll();
  expect((await deals.get(ben, held)).state).toBe('closed');
});

test('a message sent before a block can be retried, and new messages are refused until both unblock', async () => {
  const { id } = await conversations.begin(ben, ann);
  const clientId = crypto.randomUUID();
  const sent = await conversations.send(ben, id, 'Is it still there?', clientId);
  await block(ann, ben.userId);
  expect(await conversations.send(ben, id, 'Is it still there?', clientId)).toEqual(sent);
  expect((await conversations.send(ben, id, 'Hello?')).body).toMatchObject({ code: 'contact_refused' });
  await block(ben, ann.userId);
  await unblock(ann, ben.userId);
  expect((await conversations.send(ann, id, 'Hello?')).body).toMatchObject({ code: 'contact_refused' });
  await unblock(ben, ann.userId);
  expect((await conversations.send(ann, id, 'Hello?')).status).toBe(200);
});

test("a block is announced to the caller's other devices only, by the conversations of the two people", async () => {
  const [first, second] = [await conversations.begin(ann, ben), await conversations.begin(ben, ann)];
  await conversations.begin(await testApp.signIn(), ann);
  const announced: BusMessage[] = [];
  const stop = testApp.app.bus.subscribe((it) => announced.push(it));
  await block(ann, ben.userId);
  stop();
  expect(announced).toHaveLength(2);
  for (const { id } of [first, second])
    expect(announced).toContainEqual({ kind: 'read', conversation_id: id, user_id: ann.userId });
});

test('an offer made at the moment of a block either ends or is refused', async () => {
  const started: { id: string }[] = [];
  for (let round = 0; round < 8; round += 1) {
    const [seller, buyer] = [await testApp.signIn(), await testApp.signIn()];
    const titles = ['A desk of solid oak', 'A chair of solid oak', 'A shelf of solid oak'];
    const listings = await Promise.all(titles.map((title) => deals.list(seller, { title })));
    const [replies] = await Promise.all([
      Promise.all(listings.map((id) => deals.start(buyer, id))),
      block(round % 2 ? seller : buyer, (round % 2 ? buyer : seller).userId),
    ]);
    for (const { status, body } of replies) {
      if (status === 200) started.push(body);
      else expect(body).toMatchObject({ code: 'contact_refused' });
    }
  }
  await testApp.jobs.runAll();
  const ids = started.map(({ id }) => id);
  const open = await testApp.sql`SELECT FROM deals WHERE id = ANY (${ids}::uuid[]) AND state <> 'closed'`;
  expect(open).toHaveLength(0);
});

describe('a person is not notified about somebody whom they blocked', () => {
  test('by email about messages that came before the block', async () => {
    const { id } = await conversations.begin(ben, ann);
    await conversations.send(ben, id, 'First');
    await conversations.send(ann, id, 'Yes?');
    await conversations.send(ben, id, 'Second');
    await block(ann, ben.userId);
    const waiting = [{ conversationId: id, fromSeq: 3, toSeq: 3 }];
    const mail = { kind: 'unread_messages' as const, to: ann.email, userId: ann.userId, waiting };
    expect(await findUnreadDigest(testApp.app, mail)).toBe(undefined);
    await unblock(ann, ben.userId);
    expect(await findUnreadDigest(testApp.app, mail)).toMatchObject({
      conversations: [{ otherName: 'Ben Bold' }],
    });
  });

  test('by matches of saved searches, or changes of saved listings', async () => {
    // Let the listings of other tests be matched before the search is saved, so that they do not match it.
    testApp.clock.advance(120);
    await testApp.jobs.repeatNow('match-missed-listings');
    const search = { name: 'Desks', query: { q: 'desk' }, alert: 'instant' };
    await deals.request(ann, 'POST', '/rest/v1/me/saved-searches', search);
    const saved = await deals.list(ben, { title: 'A lamp that costs less soon', price: 100 });
    await deals.request(ann, 'PUT', `/rest/v1/me/saved-listings/${saved}`);
    await block(ann, ben.userId);
    testApp.clock.advance(60);
    await deals.list(ben, { title: 'A desk of a blocked person' });
    const change = { id: saved, title: 'A lamp that costs less soon', price: 10 };
    await deals.list(ben, change);
    testApp.clock.advance(20 * 60);
    for (const job of ['match-missed-listings', 'announce-listing-changes', 'match-missed-listings'])
      await testApp.jobs.repeatNow(job);
    await testApp.jobs.runAll();
    expect((await deals.request(ann, 'GET', '/rest/v1/notifications')).body.items).toEqual([]);
    const { items } = (await deals.request(ann, 'GET', '/rest/v1/me/saved-searches')).body;
    expect(items).toMatchObject([{ name: 'Desks', new_count: 0 }]);
    // The saved search still matches the listing of somebody who is not blocked.
    await deals.list(await testApp.signIn(), { title: 'A desk of another person' });
    testApp.clock.advance(20 * 60);
    await testApp.jobs.repeatNow('match-missed-listings');
    await testApp.jobs.runAll();
    expect((await deals.request(ann, 'GET', '/rest/v1/notifications')).body.items).toHaveLength(1);
  });
});

test('deleting an account removes all blocks by or against it', async () => {
  await block(ann, ben.userId);
  await block(ben, ann.userId);
  const payload = { confirmation: 'DELETE' };
  expect((await deals.request(ben, 'DELETE', '/rest/v1/me', payload)).status).toBe(200);
  expect(await listBlocks(ann)).toEqual({ items: [], next_cursor: null });
  expect(await testApp.sql`SELECT FROM blocks WHERE ${ben.userId} IN (user_id, blocked_id)`).toHaveLength(0);
});

describe('a suspended person', () => {
  const suspend = (person: Person) => testApp.sql`
    UPDATE private.credentials SET suspended_at = ${testApp.clock.now()} WHERE user_id = ${person.userId}`;
  const report = (person: Person, userId: string) =>
    deals.request(person, 'POST', '/rest/v1/reports', {
      subject: 'user',
      subject_id: userId,
      reason: 'scam',
    });

  test('is to strangers like a missing one, also when they block or report', async () => {
    await suspend(ben);
    const missing = randomUUID();
    for (const call of [block, report]) {
      const response = await call(ann, ben.userId);
      expect(response.status).toBe(404);
      expect(response).toEqual(await call(ann, missing));
    }
  });

  test('can be blocked and reported by people with whom they have a conversation', async () => {
    const { id } = await conversations.begin(ann, ben);
    await conversations.send(ann, id, 'Is it still there?');
    await suspend(ben);
    for (const call of [block, report]) expect((await call(ann, ben.userId)).status).toBe(200);
  });
});
