import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { App } from '#server/app.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { startTestApp, type TestApp } from '#server/testing/app.ts';
import { findStoredAnnouncement, removeAnnouncement, setAnnouncement } from './public.ts';

const text = 'Quad is down for maintenance on Sunday from 6:00 to 7:00.';
const paths = ['/', '/category/kitchen', '/terms', '/login', '/messages'];

let testApp: TestApp;
let app: App;
const statements: string[] = [];

beforeAll(async () => {
  testApp = await startTestApp({
    replace: { pages: await loadPagesBuild() },
    onStatement: (statement) => statements.push(statement),
  });
  app = { ...testApp.app, actor: { name: 'shell:ada', reason: 'Maintenance' } };
});
afterAll(() => testApp.close());
afterEach(() => removeAnnouncement(app));

const inSeconds = (seconds: number) => addSeconds(testApp.clock.now(), seconds).toISOString();
const announce = (from: number, until: number) =>
  setAnnouncement(app, { text, begins_at: inSeconds(from), ends_at: inSeconds(until) });
const listPathsWithText = async (): Promise<string[]> => {
  const shown: string[] = [];
  for (const path of paths) {
    const { body, statusCode } = await testApp.server.inject({ url: path });
    expect(statusCode, path).toBe(200);
    if (body.includes(text)) shown.push(path);
  }
  return shown;
};

test('an announcement is on all pages, even cached ones, from the moment it is set until it is removed', async () => {
  expect(await listPathsWithText()).toEqual([]);
  await announce(0, 3600);
  expect(await listPathsWithText()).toEqual(paths);
  await removeAnnouncement(app);
  expect(await listPathsWithText()).toEqual([]);
});

test('an announcement begins and ends on cached pages exactly at its time', async () => {
  await announce(30, 45);
  expect(await listPathsWithText()).toEqual([]);
  testApp.clock.advance(29);
  expect(await listPathsWithText()).toEqual([]);
  testApp.clock.advance(1);
  expect(await listPathsWithText()).toEqual(paths);
  testApp.clock.advance(14);
  expect(await listPathsWithText()).toEqual(paths);
  testApp.clock.advance(1);
  expect(await listPathsWithText()).toEqual([]);
});

test('rendering a page with an announcement needs no SQL statement for it', async () => {
  await announce(0, 3600);
  await listPathsWithText();
  statements.length = 0;
  await testApp.server.inject({ url: '/about' });
  expect(statements).toEqual([]);
});

test('a change whose invalidation this process missed is shown within two minutes', async () => {
  await announce(0, 3600);
  await listPathsWithText();
  await testApp.sql`DELETE FROM private.announcement`;
  expect(await listPathsWithText()).toEqual(paths);
  testApp.clock.advance(60);
  await listPathsWithText();
  testApp.clock.advance(60);
  expect(await listPathsWithText()).toEqual([]);
});

test('a new announcement replaces the previous one, and its text is escaped', async () => {
  await announce(0, 3600);
  const [begins_at, ends_at] = [inSeconds(0), inSeconds(60)];
  await setAnnouncement(app, { text: '<b>New</b> hours', begins_at, ends_at });
  const { body } = await testApp.server.inject({ url: '/terms' });
  expect(body).toContain('&lt;b&gt;New&lt;/b&gt; hours');
  expect(body).not.toContain(text);
  expect(await findStoredAnnouncement(app)).toEqual({ text: '<b>New</b> hours', begins_at, ends_at });
});

test('refuses an empty or too long text and an end that is not after the beginning', async () => {
  const times = { begins_at: inSeconds(0), ends_at: inSeconds(60) };
  for (const given of [
    { ...times, text: ' ' },
    { ...times, text: 'x'.repeat(301) },
    { ...times, text, ends_at: times.begins_at },
  ])
    await expect(setAnnouncement(app, given)).rejects.toMatchObject({ code: 'validation_failed' });
  expect(await findStoredAnnouncement(app)).toBeNull();
});

test('promise 53: the audit trail records who set and removed an announcement, and why', async () => {
  await announce(0, 60);
  await removeAnnouncement(app);
  await removeAnnouncement(app);
  const rows = await testApp.sql`
    SELECT event, actor, reason, detail FROM private.security_events
    WHERE event LIKE 'announcement%' ORDER BY id DESC LIMIT 2`;
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { event: 'announcement_removed', actor: 'shell:ada', reason: 'Maintenance', detail: null },
    { event: 'announcement_changed', actor: 'shell:ada', reason: 'Maintenance', detail: text },
  ]);
});
