import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type NotificationSettingsChange, notificationPageSchema } from '#contract/notifications.ts';
import { notificationPageSize } from '#contract/paging.ts';
import { toAssignments } from '#server/platform/postgres/sql-fragments.ts';
import type { Person } from '#server/testing/app.ts';
import { insertDeskListing } from '#server/testing/conversations.ts';
import { startMailTestApp } from '#server/testing/mail-fixtures.ts';
import { notify } from './publishing.ts';

type MailFixtures = Awaited<ReturnType<typeof startMailTestApp>>;

let quad: MailFixtures;
let person: Person;
let listingId: string;
beforeAll(async () => {
  quad = await startMailTestApp();
});
beforeEach(async () => {
  person = await quad.signIn({ fullName: 'Penny Person' });
  const seller = await quad.signIn({ fullName: 'Sue Seller' });
  listingId = await insertDeskListing(quad, seller);
});
afterAll(() => quad.close());

const ask = (method: 'GET' | 'POST' | 'PATCH', url: string, body?: object, by = person) =>
  quad.talk.ask(by, method, url, body);
const list = async (query = '', by = person) =>
  notificationPageSchema.parse((await ask('GET', `/rest/v1/notifications${query}`, undefined, by)).body);
const changeSettings = (change: NotificationSettingsChange) =>
  ask('PATCH', '/rest/v1/me/notification-settings', change);

/** Reports to the person that a listing became available again, and stores the notification. */
const notifyOfListing = async (subjectId = listingId, userIds = [person.userId]): Promise<void> => {
  await notify(quad.app, quad.sql, 'available_again', [{ subjectId, facts: {}, userIds }]);
  await quad.jobs.runAll();
};

test('lists notifications, newest first, with the unread count', async () => {
  await notifyOfListing();
  quad.clock.advance(60);
  await notify(quad.app, quad.sql, 'price_dropped', [
    { subjectId: listingId, facts: { price: 95, lowest_before: 120 }, userIds: [person.userId] },
  ]);
  await quad.jobs.runAll();
  const { items, unread_total } = await list();
  expect(unread_total).toBe(2);
  expect(items).toMatchObject([
    {
      kind: 'saved_listings',
      title: expect.stringContaining('dropped in price'),
      text: '$95 instead of $120.',
    },
    {
      title: expect.stringContaining('became available again'),
      path: expect.stringMatching('^/listing/'),
      read_at: null,
    },
  ]);
});

test('unread events about the same subject share a notification; once it was read, a new one is created', async () => {
  await notifyOfListing();
  await notifyOfListing();
  const { items } = await list();
  expect(items).toHaveLength(1);
  await ask('POST', '/rest/v1/notifications/read', { ids: [items[0]?.id] });
  quad.clock.advance(1);
  await notifyOfListing();
  expect((await list()).items.map(({ read_at }) => read_at === null)).toEqual([true, false]);
});

test('events and outcomes that a newer version stored do not break the list', async () => {
  const facts = { outcome: 'later', subject: 'listing', title: 'Desk' } as never;
  await notify(quad.app, quad.sql, 'report_handled', [
    { subjectId: listingId, facts, userIds: [person.userId] },
  ]);
  await quad.jobs.runAll();
  expect((await list()).items).toMatchObject([
    { title: 'Thanks for your report', text: 'We looked at “Desk”.' },
  ]);
  await quad.sql`UPDATE notifications SET event = 'newer_event' WHERE user_id = ${person.userId}`;
  expect((await list()).items).toMatchObject([{ title: 'Something new on Quad', path: '/notifications' }]);
});

test('an event is counted once, even if its job runs twice', async () => {
  await notifyOfListing();
  const [before] = await quad.sql<
    { job_id: string }[]
  >`SELECT job_id FROM notifications WHERE user_id = ${person.userId}`;
  await quad.sql`UPDATE notifications SET count = 5 WHERE job_id = ${before?.job_id ?? ''}`;
  await quad.jobs.enqueue(
    quad.sql,
    { name: 'notify', retries: 0, retryDelay: 1, payload: undefined as never },
    {
      id: before?.job_id,
      event: 'available_again',
      items: [{ user_id: person.userId, subject_id: listingId, facts: {}, count: 1 }],
    },
  );
  await quad.jobs.runAll();
  expect(await quad.sql`SELECT count FROM notifications WHERE user_id = ${person.userId}`).toEqual([
    { count: 5 },
  ]);
});

test('nobody can read notifications of others or mark them as read', async () => {
  await notifyOfListing();
  const stranger = await quad.signIn({ fullName: 'Stella Stranger' });
  const [item] = (await list()).items;
  expect(await list('', stranger)).toMatchObject({ items: [], unread_total: 0 });
  await ask('POST', '/rest/v1/notifications/read', { ids: [item?.id] }, stranger);
  expect((await list()).unread_total).toBe(1);
});

test('pages of notifications have no gaps or overlaps', async () => {
  for (let index = 0; index <= notificationPageSize; index += 1) await notifyOfListing(randomUUID());
  const first = await list();
  const second = await list(`?cursor=${first.next_cursor}`);
  expect([first.items.length, second.items.length, second.next_cursor]).toEqual([
    notificationPageSize,
    1,
    null,
  ]);
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(notificationPageSize + 1);
  expect((await ask('GET', '/rest/v1/notifications?cursor=nonsense')).status).toBe(400);
});

test('notifications do not name a listing that was taken down', async () => {
  await notifyOfListing();
  await quad.sql`
    UPDATE listings SET hidden_at = ${quad.clock.now()}, hidden_with = 'listing', status = 'draft' WHERE id = ${listingId}`;
  expect((await list()).items).toMatchObject([
    { title: 'A listing you saved became available again', path: '/saved' },
  ]);
});

describe('settings', () => {
  test('are all on by default, and changing one leaves the others as they are', async () => {
    const { body } = await ask('GET', '/rest/v1/me/notification-settings');
    expect(body).toMatchObject({ quiet_hours: { from: 22, until: 8 }, digest_hour: 8 });
    expect(Object.values(body.channels)).not.toContain(false);
    await changeSettings({ channels: { 'reviews.email': false } });
    const { body: changed } = await changeSettings({ quiet_hours: { from: 0, until: 0 } });
    expect(changed).toMatchObject({
      channels: { 'reviews.email': false, 'reviews.app': true },
      digest_hour: 8,
    });
  });

  test('simultaneous changes to the start and the end of the quiet hours are both saved', async () => {
    await Promise.all([
      changeSettings({ quiet_hours: { from: 23 } }),
      changeSettings({ quiet_hours: { until: 6 } }),
    ]);
    const { body } = await ask('GET', '/rest/v1/me/notification-settings');
    expect(body.quiet_hours).toEqual({ from: 23, until: 6 });
  });

  test('the setting for emails about messages is shared with the profile', async () => {
    await changeSettings({ channels: { 'messages.email': false } });
    expect((await ask('GET', '/rest/v1/me')).body.email_messages).toBe(false);
  });

  test.each([
    { quiet_hours: { from: 24, until: 8 } },
    { channels: { 'security.email': false } },
    { channels: { 'messages.app': true } },
    { unknown: 1 },
  ])('%j is refused and changes nothing', async (change) => {
    const response = await ask('PATCH', '/rest/v1/me/notification-settings', change);
    expect(response.status).toBe(400);
  });

  test('promise 75: switching a kind off hides its earlier notifications', async () => {
    await notifyOfListing();
    await changeSettings({ channels: { 'saved_listings.app': false } });
    expect(await list()).toMatchObject({ items: [], unread_total: 0 });
    await changeSettings({ channels: { 'saved_listings.app': true } });
    expect((await list()).unread_total).toBe(1);
  });
});

describe('emails', () => {
  /** Advances the clock to the next noon on the campus, outside of everybody's quiet hours, and signs in again. */
  const waitForNoon = async (hours = 0): Promise<void> => {
    const noon = quad.clock.now();
    noon.setUTCDate(noon.getUTCDate() + 1);
    noon.setUTCHours(20 + hours, 0, 0, 0);
    quad.clock.set(noon);
    person = await quad.signIn({ fullName: 'Penny Person' });
  };
  beforeEach(() => waitForNoon());
  const send = async (): Promise<string[]> => {
    await quad.jobs.repeatNow('email-notifications');
    await quad.jobs.runAll();
    return quad.mailsTo(person).map(({ subject = '' }) => subject);
  };

  test('are sent once, 15 minutes after the event, with a link that turns off this kind', async () => {
    await notifyOfListing();
    expect(await send()).toEqual([]);
    quad.clock.advance(15 * 60);
    expect(await send()).toEqual([expect.stringContaining('became available again')]);
    expect(await send()).toHaveLength(1);
    const [mail] = quad.mailsTo(person);
    const link = /https?:\/\/\S+\/unsubscribe\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    const { pathname } = new URL(link);
    expect((await quad.server.inject({ method: 'POST', url: pathname })).statusCode).toBe(200);
    const { body } = await ask('GET', '/rest/v1/me/notification-settings');
    expect(body.channels).toMatchObject({ 'saved_listings.email': false, 'reviews.email': true });
  });

  test('promise 76: are not sent about notifications that were read in the app', async () => {
    await notifyOfListing();
    await ask('POST', '/rest/v1/notifications/read', {});
    quad.clock.advance(15 * 60);
    expect(await send()).toEqual([]);
  });

  test.each([
    { change: { status: 'sold', sold_at: new Date(0) }, left: ['was sold'] },
    { change: { is_on_hold: true }, left: ['dropped in price', '$95 instead of $120'] },
    { change: { price: 115 }, left: ['became available again'] },
    { change: { price: 96 }, left: ['became available again', 'dropped in price', '$96 instead of $120'] },
    { change: { price: 90 }, left: ['became available again', 'dropped in price', '$90 instead of $120'] },
  ])('about a saved listing say only what is still true after $change', async ({ change, left }) => {
    await notifyOfListing();
    await notify(quad.app, quad.sql, 'price_dropped', [
      { subjectId: listingId, facts: { price: 95, lowest_before: 120 }, userIds: [person.userId] },
    ]);
    await notify(quad.app, quad.sql, 'listing_sold', [
      { subjectId: listingId, facts: {}, userIds: [person.userId] },
    ]);
    await quad.jobs.runAll();
    await quad.sql`UPDATE listings SET ${toAssignments({ price: 95, ...change })} WHERE id = ${listingId}`;
    quad.clock.advance(15 * 60);
    await send();
    const text = quad.mailsTo(person).map(({ text }) => text);
    const said =
      text.join().match(/became available again|was sold|dropped in price|\$\d+ instead of \$\d+/g) ?? [];
    expect(said.toSorted()).toEqual(left.toSorted());
    expect((await list()).unread_total).toBe(3);
  });

  test('are sent for kinds that are switched off in the app, even after everything was marked as read', async () => {
    await changeSettings({ channels: { 'saved_listings.app': false } });
    await notifyOfListing();
    await ask('POST', '/rest/v1/notifications/read', {});
    quad.clock.advance(15 * 60);
    expect(await send()).toHaveLength(1);
  });

  test('about a security event do not include other events before their 15 minutes are over', async () => {
    await notifyOfListing();
    await notify(quad.app, quad.sql, 'password_changed', [
      { subjectId: null, facts: { at: quad.clock.now().toISOString() }, userIds: [person.userId] },
    ]);
    await quad.jobs.runAll();
    expect(await send()).toEqual(['Your password was changed']);
    quad.clock.advance(10 * 60);
    await notifyOfListing(await insertDeskListing(quad, await quad.signIn()));
    quad.clock.advance(5 * 60);
    // Events of one kind share an email.
    expect(await send()).toEqual(['Your password was changed', '2 notifications']);
  });

  test('contain only titles for people who chose brief emails', async () => {
    await notifyOfListing();
    await changeSettings({ digest_content: 'brief' });
    quad.clock.advance(15 * 60);
    expect(await send()).toHaveLength(1);
    expect(quad.mailsTo(person)[0]?.text).not.toContain('The hold on it ended.');
  });

  test('promise 75: wait until the quiet hours end, and a change of the quiet hours also applies to waiting emails', async () => {
    await waitForNoon(10);
    await notifyOfListing();
    quad.clock.advance(15 * 60);
    expect(await send()).toEqual([]);
    await changeSettings({ quiet_hours: { from: 0, until: 0 } });
    expect(await send()).toHaveLength(1);
  });
});
