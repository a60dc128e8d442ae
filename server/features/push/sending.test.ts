import { randomUUID } from 'node:crypto';
import { importJWK, jwtVerify } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { appendMessage } from '#server/features/conversations/event-line-repository.ts';
import { createDealClient } from '#server/features/deals/testing.ts';
import { notify } from '#server/features/notifications/public.ts';
import { pushDelaySeconds } from '#server/features/notifications/sql.ts';
import type { Person } from '#server/testing/app.ts';
import { insertDeskListing } from '#server/testing/conversations.ts';
import { type PushTestApp, startPushTestApp } from './testing.ts';

let quad: PushTestApp;
let deals: ReturnType<typeof createDealClient>;
let seller: Person;
let buyer: Person;
beforeAll(async () => {
  quad = await startPushTestApp();
  deals = createDealClient(quad);
});
const beginAt = async (instant: string): Promise<void> => {
  quad.clock.set(new Date(instant));
  seller = await quad.signIn({ fullName: 'Sally Seller' });
  buyer = await quad.signIn({ fullName: 'Ben Buyer' });
};
// Begin at 10:00 campus time, outside of quiet hours.
beforeEach(() => beginAt('2026-03-02T18:00:00.000Z'));
afterAll(() => quad.close());

/** Has the buyer write to the seller; returns the id of the conversation. */
const write = async (...texts: string[]): Promise<string> => {
  const { id } = await quad.talk.begin(buyer, seller);
  for (const text of texts) await quad.talk.send(buyer, id, text);
  return id;
};
/** Notifies the seller of a saved listing that became available again; returns the id of the listing. */
const notifySeller = async (): Promise<string> => {
  const subjectId = await insertDeskListing(quad, buyer);
  await notify(quad.app, quad.sql, 'available_again', [{ subjectId, facts: {}, userIds: [seller.userId] }]);
  await quad.jobs.runAll();
  return subjectId;
};

test('promise 78: a message arrives encrypted for the browser, signed with the key of the server', async () => {
  const browser = await quad.subscribe(seller);
  const id = await write('Is the desk still there?');
  await quad.send();
  expect(browser.pushes()).toEqual([
    {
      title: 'Ben Buyer',
      text: 'Is the desk still there?',
      path: `/messages?c=${id}`,
      tag: `messages:${id}`,
      subject: { source: 'conversation', subject_id: id, kind: 'messages', detail: '' },
    },
  ]);
  const [request] = browser.requests();
  expect(request?.headers).toMatchObject({ 'content-encoding': 'aes128gcm', ttl: '86400', urgency: 'high' });
  const visible = JSON.stringify([request?.headers, request?.path, request?.body.toString('latin1')]);
  for (const secret of ['the desk', 'Ben Buyer', id, seller.userId]) expect(visible).not.toContain(secret);
  const [, token = '', key = ''] = /^vapid t=(.+), k=(.+)$/.exec(request?.headers.authorization ?? '') ?? [];
  expect(key).toBe((await quad.listDevices(seller)).application_server_key);
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const { payload } = await jwtVerify(token, await importJWK(jwk, 'ES256'), {
    audience: quad.service.origin,
  });
  expect(payload.sub).toBe('mailto:support@usc.edu');
});

test('several messages of a conversation become one push with the newest; the sender gets none', async () => {
  const [browser, own] = [await quad.subscribe(seller), await quad.subscribe(buyer)];
  await write('Hello', 'Is it still there?', 'I can come today');
  await quad.send();
  expect(browser.pushes()).toMatchObject([{ title: 'Ben Buyer (3 new messages)', text: 'I can come today' }]);
  expect(own.pushes()).toEqual([]);
});

test('a message whose transaction commits after an earlier push was sent is still pushed', async () => {
  const browser = await quad.subscribe(seller);
  const conversationId = await write('Hello');
  quad.clock.advance(pushDelaySeconds);
  await quad.sql.begin(async (tx) => {
    const line = { actorId: buyer.userId, isAutomatic: false, silentFor: null, data: null, isMailed: true };
    const message = { clientId: randomUUID(), kind: 'text', text: 'Is it still there?' } as const;
    await appendMessage(tx, { conversationId, ...line, ...message, now: quad.clock.now() });
    await quad.queue();
    await quad.jobs.runAll();
  });
  await quad.send();
  expect(browser.pushes().at(-1)?.text).toBe('Is it still there?');
});

test('promise 99: an unsent message is not pushed any more, and replaces the push that showed it', async () => {
  const browser = await quad.subscribe(seller);
  const { id } = await quad.talk.begin(buyer, seller);
  const { body: first } = await quad.talk.send(buyer, id, 'A secret');
  await quad.talk.unsend(buyer, id, first.id);
  await quad.send();
  expect(browser.pushes()).toEqual([]);

  const { body: second } = await quad.talk.send(buyer, id, 'Hello');
  const { body: third } = await quad.talk.send(buyer, id, 'Another secret');
  await quad.send();
  expect(browser.pushes().at(-1)).toMatchObject({
    title: 'Ben Buyer (2 new messages)',
    text: 'Another secret',
  });
  await quad.talk.unsend(buyer, id, third.id);
  await quad.send();
  const subject = { source: 'conversation', subject_id: id, kind: 'messages', detail: 'unsent' };
  expect(browser.pushes().at(-1)).toMatchObject({ title: 'Ben Buyer', text: 'Hello', subject });
  await quad.talk.unsend(buyer, id, second.id);
  await quad.send();
  const tag = `messages:${id}`;
  expect(browser.pushes().at(-1)).toMatchObject({ title: 'Ben Buyer', text: 'Message unsent', tag, subject });
  expect(browser.pushes()).toHaveLength(3);

  const isShown = async () =>
    (await quad.talk.ask(seller, 'POST', '/rest/v1/notifications/shown', { subjects: [subject] })).body
      .is_unread;
  expect(await isShown()).toEqual([true]);
  await quad.talk.ask(seller, 'POST', quad.talk.at(id, '/read'), { seq: 3 });
  expect(await isShown()).toEqual([false]);
  const { body: read } = await quad.talk.send(buyer, id, 'Read');
  await quad.send();
  await quad.talk.ask(seller, 'POST', quad.talk.at(id, '/read'), { seq: 4 });
  await quad.talk.unsend(buyer, id, read.id);
  await quad.send();
  expect(browser.pushes()).toHaveLength(4);
});

test('promise 99: an unsent message of a person whom one has blocked causes no push', async () => {
  const browser = await quad.subscribe(seller);
  const { id } = await quad.talk.begin(buyer, seller);
  const { body: message } = await quad.talk.send(buyer, id, 'Angry words');
  await quad.send();
  await quad.talk.ask(seller, 'PUT', `/rest/v1/me/blocks/${buyer.userId}`);
  await quad.talk.unsend(buyer, id, message.id);
  await quad.send();
  expect(browser.pushes()).toHaveLength(1);
});

test('every browser of a person gets the push, and the device list shows the time', async () => {
  const phone = await quad.subscribe(seller);
  const laptop = await quad.subscribe(await quad.logInAgain(seller));
  await write('Hello');
  await quad.send();
  expect([phone.pushes(), laptop.pushes()].map((pushes) => pushes.length)).toEqual([1, 1]);
  const { items } = await quad.listDevices(seller);
  expect(items.map((item) => item.last_used_at)).toEqual(Array(2).fill(quad.clock.now().toISOString()));
});

test('a notification in the app is pushed with its title, text and path', async () => {
  const browser = await quad.subscribe(seller);
  await notifySeller();
  await quad.send();
  expect(browser.pushes()).toMatchObject([
    {
      title: '“Solid oak desk” became available again',
      text: 'The hold on it ended.',
      path: expect.stringMatching(/^\/listing\//),
      tag: expect.stringMatching(/^notification:/),
    },
  ]);
});

test('a listing that is on hold again is not pushed as available', async () => {
  const browser = await quad.subscribe(seller);
  const id = await notifySeller();
  await quad.sql`UPDATE listings SET is_on_hold = true WHERE id = ${id}`;
  await quad.send();
  expect(browser.pushes()).toEqual([]);
});

test('deal transitions and reminders are pushed', async () => {
  const [browser, other] = [await quad.subscribe(seller), await quad.subscribe(buyer)];
  const { body: offer } = await deals.start(buyer, await deals.list(seller, { title: 'Solid oak desk' }));
  await quad.send();
  expect(browser.pushes()).toMatchObject([
    {
      title: 'Solid oak desk',
      path: `/messages?c=${offer.conversation_id}`,
      tag: `deals:${offer.conversation_id}`,
    },
  ]);
  const { body: held } = await deals.take(seller, offer, 'accept');
  await deals.take(buyer, held, 'propose_handover', {
    place: 'The fountain',
    times: ['2026-03-04T20:00:00.000Z'],
  });
  await deals.take(seller, held, 'agree_handover', { time: '2026-03-04T20:00:00.000Z' });
  await quad.send();
  // Advance to an hour before the handover, when the reminder is due.
  quad.clock.set(new Date('2026-03-04T19:00:00.000Z'));
  await quad.jobs.repeatNow('send-deal-notices');
  await quad.send();
  const [push] = other.pushes().slice(-1);
  expect(push).toMatchObject({
    title: expect.stringContaining('Soon: handover of "Solid oak desk"'),
    text: expect.stringMatching(/^You meet Sally Seller/),
    tag: `notice:${offer.id}`,
  });
});

test('with hidden content, a push says only that there is a notification', async () => {
  const browser = await quad.subscribe(seller);
  await quad.changeSettings(seller, { push_content: 'hidden' });
  const id = await write('A secret');
  await quad.send();
  expect(browser.pushes()).toMatchObject([
    { title: 'New notification on Quad', text: '', path: `/messages?c=${id}`, tag: `messages:${id}` },
  ]);
});

test('the longest texts fit into a push', async () => {
  const browser = await quad.subscribe(seller);
  await write('👩‍👩‍👧‍👦'.repeat(180));
  await quad.send();
  expect(browser.pushes()).toHaveLength(1);
  expect(browser.requests()[0]?.body.length).toBeLessThanOrEqual(4096);
});

describe('promise 76: no push is sent for', () => {
  test('a message that is read before it is due', async () => {
    const browser = await quad.subscribe(seller);
    const id = await write('Hello');
    await quad.talk.ask(seller, 'POST', quad.talk.at(id, '/read'), { seq: 1 });
    await quad.send();
    expect(browser.pushes()).toEqual([]);
  });

  test('a message that is read while its push is queued', async () => {
    const browser = await quad.subscribe(seller);
    const id = await write('Hello');
    quad.clock.advance(5);
    await quad.queue();
    await quad.talk.ask(seller, 'POST', quad.talk.at(id, '/read'), { seq: 1 });
    await quad.jobs.runAll();
    expect(browser.pushes()).toEqual([]);
  });

  test('a notification that is read while its push is queued', async () => {
    const browser = await quad.subscribe(seller);
    await notifySeller();
    quad.clock.advance(5);
    await quad.queue();
    await quad.talk.ask(seller, 'POST', '/rest/v1/notifications/read', {});
    await quad.jobs.runAll();
    expect(browser.pushes()).toEqual([]);
  });
});

describe('promise 75: settings and quiet hours apply to waiting and queued pushes', () => {
  test('a push is not sent if its kind is turned off before it is due or while it is queued', async () => {
    const browser = await quad.subscribe(seller);
    await write('Hello');
    await quad.changeSettings(seller, { channels: { 'messages.push': false } });
    await quad.send();
    await quad.changeSettings(seller, { channels: { 'messages.push': true } });
    await write('Hello again');
    quad.clock.advance(5);
    await quad.queue();
    await quad.changeSettings(seller, { channels: { 'messages.push': false } });
    await quad.jobs.runAll();
    expect(browser.pushes()).toEqual([]);
  });

  test('messages received during quiet hours are pushed when the quiet hours end', async () => {
    // 22:30 campus time, during quiet hours.
    await beginAt('2026-03-03T06:30:00.000Z');
    const browser = await quad.subscribe(seller);
    await write('Are you awake?');
    await quad.send();
    quad.clock.set(new Date('2026-03-03T15:59:59.000Z'));
    await quad.send(0);
    expect(browser.pushes()).toEqual([]);
    await quad.send(1);
    expect(browser.pushes()).toMatchObject([{ text: 'Are you awake?' }]);
  });

  test('turning quiet hours off sends waiting pushes within a second', async () => {
    await beginAt('2026-03-03T06:30:00.000Z');
    const browser = await quad.subscribe(seller);
    await write('Are you awake?');
    await quad.send();
    await quad.changeSettings(seller, { quiet_hours: { from: 0, until: 0 } });
    await quad.send(0);
    expect(browser.pushes()).toHaveLength(1);
  });

  test('a push that was queued before quiet hours, and delayed until they began, waits for their end', async () => {
    // 21:59:50 campus time, ten seconds before the quiet hours begin.
    await beginAt('2026-03-03T05:59:50.000Z');
    const browser = await quad.subscribe(seller);
    await write('Are you awake?');
    quad.clock.advance(5);
    await quad.queue();
    quad.clock.advance(10);
    await quad.jobs.runAll();
    expect(browser.pushes()).toEqual([]);
    quad.clock.set(new Date('2026-03-03T16:00:00.000Z'));
    await quad.send(0);
    expect(browser.pushes()).toHaveLength(1);
  });

  test('security notices and reminders of handovers within three hours are sent in quiet hours', async () => {
    // 6:00 campus time, during quiet hours; the handover is at 8:30.
    await beginAt('2026-03-03T14:00:00.000Z');
    const browser = await quad.subscribe(seller);
    const { body: offer } = await deals.start(buyer, await deals.list(seller, { title: 'Lamp of brass' }));
    await quad.send();
    expect(browser.pushes()).toEqual([]);
    const { body: held } = await deals.take(seller, offer, 'accept');
    const time = '2026-03-03T16:30:00.000Z';
    await deals.take(buyer, held, 'propose_handover', { place: 'The fountain', times: [time] });
    await deals.take(seller, held, 'agree_handover', { time });
    await quad.talk.send(buyer, offer.conversation_id, 'See you soon');
    await notify(quad.app, quad.sql, 'password_changed', [
      {
        subjectId: null,
        facts: { at: quad.clock.now().toISOString() },
        userIds: [seller.userId],
      },
    ]);
    await quad.jobs.runAll();
    await quad.send(300);
    expect(browser.pushes().map(({ title }) => title)).toEqual(
      expect.arrayContaining(['Lamp of brass', 'Your password was changed']),
    );
    expect(browser.pushes()).toHaveLength(2);
  });

  test('steps of a handover are sent in quiet hours until an hour after the agreed time', async () => {
    // 21:30 campus time; the handover is at 22:00, when the quiet hours begin.
    await beginAt('2026-03-03T05:30:00.000Z');
    const browser = await quad.subscribe(seller);
    const { body: offer } = await deals.start(buyer, await deals.list(seller, { title: 'Lamp of brass' }));
    const { body: held } = await deals.take(seller, offer, 'accept');
    const time = '2026-03-03T06:00:00.000Z';
    await deals.take(buyer, held, 'propose_handover', { place: 'The fountain', times: [time] });
    await deals.take(seller, held, 'agree_handover', { time });
    await quad.talk.ask(seller, 'POST', quad.talk.at(offer.conversation_id, '/read'), { seq: 100 });
    await quad.send();
    expect(browser.pushes()).toEqual([]);
    quad.clock.set(new Date('2026-03-03T06:59:50.000Z'));
    await deals.take(buyer, held, 'running_late');
    await quad.send();
    expect(browser.pushes()).toMatchObject([{ text: expect.stringContaining('late') }]);
    await quad.talk.ask(seller, 'POST', quad.talk.at(offer.conversation_id, '/read'), { seq: 100 });
    quad.clock.advance(10);
    const cancelled = await deals.take(buyer, held, 'cancel', { reason: 'I found another one' });
    expect(cancelled.status).toBe(200);
    await quad.send();
    expect(browser.pushes()).toHaveLength(1);
  });
});

describe('promise 79: push ends with the session', () => {
  test('logging out ends push on that device at once, even for queued pushes', async () => {
    const other = await quad.logInAgain(seller);
    const [gone, stays] = [await quad.subscribe(seller), await quad.subscribe(other)];
    await write('Hello');
    quad.clock.advance(5);
    await quad.queue();
    await quad.server.inject({ method: 'POST', url: '/auth/v1/logout?scope=local', headers: seller.headers });
    await quad.jobs.runAll();
    expect([gone.pushes().length, stays.pushes().length]).toEqual([0, 1]);
  });

  test('deleting the account removes its subscriptions and waiting pushes', async () => {
    await quad.subscribe(seller);
    await write('Hello');
    expect(await quad.sql`SELECT FROM due_pushes WHERE user_id = ${seller.userId}`).toHaveLength(1);
    const { status } = await quad.talk.ask(seller, 'DELETE', '/rest/v1/me', { confirmation: 'DELETE' });
    expect(status).toBe(200);
    expect(await quad.sql`SELECT FROM due_pushes WHERE user_id = ${seller.userId}`).toHaveLength(0);
    expect(
      await quad.sql`SELECT FROM private.push_subscriptions WHERE user_id = ${seller.userId}`,
    ).toHaveLength(0);
  });

  test('no push is sent to a suspended person', async () => {
    const browser = await quad.subscribe(seller);
    await write('Hello');
    await quad.sql`
      UPDATE private.credentials SET suspended_at = ${quad.clock.now()} WHERE user_id = ${seller.userId}`;
    await quad.send();
    expect(browser.pushes()).toEqual([]);
  });
});
