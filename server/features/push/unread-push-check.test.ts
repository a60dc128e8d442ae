import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxDisplayedPushNotifications, type PushSubject } from '#contract/push.ts';
import { notify } from '#server/features/notifications/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { Person } from '#server/testing/app.ts';
import { type PushTestApp, startPushTestApp } from './testing.ts';

let quad: PushTestApp;
let reader: Person;
let writer: Person;
beforeAll(async () => {
  quad = await startPushTestApp();
});
beforeEach(async () => {
  reader = await quad.signIn({ fullName: 'Rita Reader' });
  writer = await quad.signIn({ fullName: 'Will Writer' });
});
afterAll(() => quad.close());

const check = async (subjects: readonly PushSubject[], by = reader) =>
  quad.talk.ask(by, 'POST', '/rest/v1/notifications/shown', { subjects });
const findUnread = async (subjects: readonly PushSubject[], by = reader): Promise<boolean[]> =>
  (await check(subjects, by)).body.is_unread;

/** Sends a message and an event to the reader's browser; returns what the browser shows. */
const showPushes = async () => {
  const browser = await quad.subscribe(reader);
  const { id } = await quad.talk.begin(writer, reader);
  await quad.talk.send(writer, id, 'Hello');
  await notify(quad.app, quad.sql, 'review_published', [
    { subjectId: randomUUID(), facts: {}, userIds: [reader.userId] },
  ]);
  await quad.jobs.runAll();
  await quad.send();
  const subjects = browser.pushes().map(({ subject }) => subject);
  expect(subjects).toHaveLength(2);
  return {
    conversationId: id,
    message: subjects.filter(({ source }) => source === 'conversation'),
    event: subjects.filter(({ source }) => source === 'notification'),
  };
};

describe('promise 76: a browser learns which shown push notifications were read elsewhere', () => {
  test('a message counts as read after it is read in its conversation', async () => {
    const { conversationId, message, event } = await showPushes();
    expect(await findUnread([...event, ...message])).toEqual([true, true]);
    await quad.talk.ask(reader, 'POST', quad.talk.at(conversationId, '/read'), { seq: 1 });
    expect(await findUnread([...event, ...message])).toEqual([true, false]);
  });

  test.each([
    ['its conversation is muted', 'PATCH', (id: string) => quad.talk.at(id, '')],
    ['its author is blocked', 'PUT', () => `/rest/v1/me/blocks/${writer.userId}`],
  ] as const)('a message counts as read after %s', async (_what, method, at) => {
    const { conversationId, message, event } = await showPushes();
    const until = addSeconds(quad.app.clock.now(), 3600).toISOString();
    const body = method === 'PATCH' ? { muted_until: until } : undefined;
    expect(await quad.talk.ask(reader, method, at(conversationId), body)).toMatchObject({ status: 200 });
    expect(await findUnread([...event, ...message])).toEqual([true, false]);
  });

  test('a notification counts as read after it is read in the app', async () => {
    const { message, event } = await showPushes();
    await quad.talk.ask(reader, 'POST', '/rest/v1/notifications/read', {});
    expect(await findUnread([...event, ...message])).toEqual([false, true]);
  });

  test('a notification counts as read after its push is opened, even if notifications of that kind are off in the app', async () => {
    await quad.changeSettings(reader, { channels: { 'reviews.app': false } });
    const { event } = await showPushes();
    await quad.talk.ask(reader, 'POST', '/rest/v1/notifications/read', {});
    expect(await findUnread(event)).toEqual([true]);
    const ids = event.map((subject) => subject.subject_id);
    await quad.talk.ask(reader, 'POST', '/rest/v1/notifications/read', { ids });
    expect(await findUnread(event)).toEqual([false]);
  });
});

test('messages and notifications of others count as read', async () => {
  const { message, event } = await showPushes();
  const stranger = await quad.signIn();
  expect(await findUnread([...message, ...event], stranger)).toEqual([false, false]);
});

test(`accepts up to ${maxDisplayedPushNotifications} subjects per request`, async () => {
  const subject = { source: 'deal', subject_id: randomUUID(), kind: 'deals', detail: '' } as const;
  expect(await findUnread(Array(maxDisplayedPushNotifications).fill(subject))).toEqual(
    Array(maxDisplayedPushNotifications).fill(false),
  );
  expect((await check(Array(maxDisplayedPushNotifications + 1).fill(subject))).status).toBe(400);
});
