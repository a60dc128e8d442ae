import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Notification, notificationPageSchema } from '#contract/notifications.ts';
import { createOutbox } from '#server/mail/outbox.ts';
import type { Person } from '#server/testing/app.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { startMailTestApp } from '#server/testing/mail-fixtures.ts';

const migrationPath = new URL(
  '../../migrations/0104_counts_emailed_by_earlier_versions.sql',
  import.meta.url,
);

let server: Awaited<ReturnType<typeof startMailTestApp>>;
let seller: Person;
let person: Person;
beforeAll(async () => {
  server = await startMailTestApp();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.sql`DELETE FROM saved_searches`;
  await server.sql`DELETE FROM listings`;
  // Eleven in the morning in the campus time zone, hours after the daily alerts.
  await setTime('2026-03-04T19:00:00.000Z');
});

const setTime = async (instant: string): Promise<void> => {
  server.clock.set(new Date(instant));
  [seller, person] = [await server.signIn(), await server.signIn()];
};
const ask = async (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const { status, body } = await server.talk.ask(person, method, url, payload);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};
const saveSearch = async (query: object, alert: string, name: string): Promise<string> =>
  (await ask('POST', '/rest/v1/me/saved-searches', { name, query, alert })).id;
const changeSettings = (change: object) => ask('PATCH', '/rest/v1/me/notification-settings', change);
/** Publishes listings, and runs the jobs that match them a minute later. */
const publish = async (...forms: ListingForm[]): Promise<void> => {
  for (const form of forms) expect((await submitListingForm(server, seller, form)).status).toBe(200);
  server.clock.advance(60);
  await runJobs();
};
const runJobs = async (): Promise<void> => {
  await server.jobs.runAll();
  await server.jobs.repeatNow('match-missed-listings');
  await server.jobs.runAll();
  await server.jobs.repeatNow('email-notifications');
  await server.jobs.runAll();
};
const listNotifications = async (): Promise<Notification[]> =>
  notificationPageSchema.parse(await ask('GET', '/rest/v1/notifications')).items;
const listSubjects = () => server.mailsTo(person).map(({ subject }) => subject);
/** Advances the clock, runs the jobs, and signs in again because the access tokens have expired. */
const wait = async (seconds: number): Promise<void> => {
  server.clock.advance(seconds);
  await runJobs();
  for (const by of [seller, person]) {
    const { body } = await server.talk.ask(by, 'POST', '/auth/v1/token?grant_type=refresh_token', {
      refresh_token: by.refreshToken,
    });
    by.refreshToken = body.refresh_token;
    by.headers.authorization = `Bearer ${body.access_token}`;
  }
};

test('instant alerts are grouped, name the newest listings and lead to the results', async () => {
  await saveSearch({ q: 'desk', max_price: 100 }, 'instant', 'desk under $100');
  await publish({ title: 'Small desk' });
  expect(await listNotifications()).toMatchObject([
    {
      kind: 'saved_searches',
      title: '1 new match for “desk under $100”',
      text: '“Small desk”',
      path: '/search?q=desk&price=0-100',
      read_at: null,
    },
  ]);
  // Within 15 minutes after an alert, further matches wait and share the next alert.
  await publish(...['oak', 'pine', 'ash', 'elm'].map((wood) => ({ title: `Desk of ${wood} wood` })));
  expect((await listNotifications())[0]?.title).toBe('1 new match for “desk under $100”');
  await ask('POST', '/rest/v1/notifications/read', {});
  await wait(14 * 60);
  const [item, ...others] = await listNotifications();
  expect(others).toHaveLength(1);
  expect(item?.title).toBe('4 new matches for “desk under $100”');
  expect(item?.text).toMatch(/^(“Desk of \w+ wood”, ){2}“Desk of \w+ wood” and 1 more$/);
});

test('unread alerts of a search are combined into one with the total of matches', async () => {
  await saveSearch({ category: 'furniture', max_price: 100 }, 'instant', 'Cheap furniture');
  await publish({ title: 'Small desk' }, { title: 'Small lamp' });
  await wait(15 * 60);
  await publish({ title: 'Small chair' });
  expect(await listNotifications()).toMatchObject([
    { title: '3 new matches for “Cheap furniture”', path: '/category/furniture?price=0-100' },
  ]);
});

test('instant alerts are emailed 15 minutes later, unless they were read', async () => {
  await saveSearch({ q: 'desk' }, 'instant', 'Desks');
  await publish({});
  expect(listSubjects()).toEqual([]);
  await wait(15 * 60);
  expect(listSubjects()).toEqual(['1 new match for “Desks”']);
  const [mail] = server.mailsTo(person);
  expect(mail?.text).toContain('https://quad.test/search?q=desk');
  expect(mail?.text).toContain('Stop these emails');
  await publish({});
  await ask('POST', '/rest/v1/notifications/read', {});
  await wait(20 * 60);
  expect(listSubjects()).toHaveLength(1);
});

test('daily alerts of all searches share one email at the hour that the person chose', async () => {
  await changeSettings({ digest_hour: 13 });
  await saveSearch({ q: 'desk' }, 'daily', 'Desks');
  await saveSearch({ category: 'furniture' }, 'daily', 'Furniture');
  await publish({ title: 'Small desk' }, { title: 'Large desk' });
  await wait(2 * 3600 - 61);
  expect(await listNotifications()).toEqual([]);
  await wait(1);
  expect((await listNotifications()).map(({ title }) => title).sort()).toEqual([
    '2 new matches for “Desks”',
    '2 new matches for “Furniture”',
  ]);
  await wait(120);
  expect(listSubjects()).toEqual(['2 notifications']);
  await wait(24 * 3600);
  expect(listSubjects()).toHaveLength(1);
});

test('promise 74: each email counts only matches since the last email; the notification counts all unread ones', async () => {
  await saveSearch({ q: 'desk' }, 'daily', 'Desks');
  await publish({ title: 'Small desk' }, { title: 'Large desk' }, { title: 'Ancient desk' });
  await wait(21 * 3600);
  await wait(120);
  expect(listSubjects()).toEqual(['3 new matches for “Desks”']);
  await publish({ title: 'Desk of oak' }, { title: 'Desk of ash' });
  await wait(24 * 3600);
  expect(await listNotifications()).toMatchObject([{ title: '5 new matches for “Desks”' }]);
  // The mail job runs only after the quiet hours have begun, so the email waits until they end.
  await changeSettings({ quiet_hours: { from: 9, until: 12 } });
  server.clock.advance(120);
  await server.jobs.repeatNow('email-notifications');
  server.clock.advance(3600);
  await server.jobs.runAll();
  expect(listSubjects()).toHaveLength(1);
  await wait(3 * 3600);
  expect(listSubjects().slice(1)).toEqual(['2 new matches for “Desks”']);
  expect(server.mailsTo(person)[1]?.text).toMatch(/“Desk of (oak|ash)”, “Desk of (oak|ash)”\n/);
});

test('promise 74: emails count each match once, even if the previous version emailed or queued it', async () => {
  /** Turns the waiting email into one that the previous version has queued, and migrates the row. */
  const queueAsPreviousVersion = async (): Promise<void> => {
    const [row] = await server.sql<{ id: string }[]>`
      UPDATE notifications SET email_due_at = NULL, emailed_count = 0 WHERE user_id = ${person.userId} RETURNING id`;
    await server.sql.query(await readFile(migrationPath, 'utf8'));
    const mail = { userId: person.userId, about: 'saved_searches' as const, ids: [row?.id ?? ''] };
    await createOutbox(server.jobs, server.pepper).send(server.sql, {
      kind: 'notifications',
      to: person.email,
      ...mail,
    });
  };
  await saveSearch({ q: 'desk' }, 'instant', 'Desks');
  await publish({ title: 'Small desk' }, { title: 'Large desk' }, { title: 'Ancient desk' });
  await queueAsPreviousVersion();
  await changeSettings({ quiet_hours: { from: 11, until: 12 } });
  await server.jobs.runAll();
  expect(listSubjects()).toEqual([]);
  await wait(3600);
  expect(listSubjects()).toEqual(['3 new matches for “Desks”']);
  await publish({ title: 'Desk of pine' });
  await queueAsPreviousVersion();
  await wait(15 * 60);
  await publish({ title: 'Desk of oak' }, { title: 'Desk of ash' });
  await wait(15 * 60);
  expect(listSubjects().at(-1)).toBe('2 new matches for “Desks”');
});

test('promise 75: a new hour for daily alerts also applies to matches that are already waiting', async () => {
  await saveSearch({ q: 'desk' }, 'daily', 'Desks');
  await publish({});
  await changeSettings({ digest_hour: 12 });
  await wait(3600 - 60);
  expect(await listNotifications()).toMatchObject([{ title: '1 new match for “Desks”' }]);
});

test('an alert never names an unavailable listing, and links to the saved searches if its search was deleted', async () => {
  const id = await saveSearch({ q: 'desk' }, 'instant', 'Desks');
  await publish({});
  await server.sql`UPDATE listings SET status = 'draft'`;
  expect(await listNotifications()).toMatchObject([{ text: 'See what is new.' }]);
  await ask('DELETE', `/rest/v1/me/saved-searches/${id}`);
  expect(await listNotifications()).toMatchObject([
    { title: '1 new match for a search that you deleted', path: '/saved?tab=searches' },
  ]);
});

test('alerts whose listings are all gone are not emailed', async () => {
  await saveSearch({ q: 'desk' }, 'instant', 'Desks');
  await publish({ title: 'Small desk' }, { title: 'Large desk' });
  await server.sql`UPDATE listings SET status = 'draft'`;
  await wait(15 * 60);
  expect(listSubjects()).toEqual([]);
  await publish({ title: 'Desk of oak' });
  await wait(15 * 60);
  expect(listSubjects()).toEqual(['1 new match for “Desks”']);
  await publish({ title: 'Desk of ash' });
  await server.sql`UPDATE listings SET status = 'draft'`;
  await wait(20 * 60);
  expect(listSubjects()).toHaveLength(1);
});

test('a match that the person saw in the results is not announced', async () => {
  const id = await saveSearch({ q: 'desk' }, 'daily', 'Desks');
  await publish({});
  await ask('PATCH', `/rest/v1/me/saved-searches/${id}`, { visited: true });
  await wait(24 * 3600);
  expect(await listNotifications()).toEqual([]);
});

test('an alert counts as read, and is not emailed, once the person has seen the results', async () => {
  const id = await saveSearch({ q: 'desk' }, 'instant', 'Desks');
  await saveSearch({ category: 'furniture', max_price: 100 }, 'instant', 'Cheap furniture');
  await publish({});
  await ask('PATCH', `/rest/v1/me/saved-searches/${id}`, { name: 'Good desks' });
  expect((await listNotifications()).map(({ read_at }) => read_at)).toEqual([null, null]);
  const listener = vi.spyOn(server.bus, 'publish');
  await ask('PATCH', `/rest/v1/me/saved-searches/${id}`, { visited: true });
  expect(listener).toHaveBeenCalledWith({ kind: 'notified', user_ids: [person.userId] });
  const unread = (await listNotifications()).filter(({ read_at }) => read_at === null);
  expect(unread).toMatchObject([{ title: '1 new match for “Cheap furniture”' }]);
  await wait(20 * 60);
  expect(listSubjects()).toEqual(['1 new match for “Cheap furniture”']);
});
