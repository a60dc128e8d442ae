import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { type MeetingSpot, maxMeetingSpots } from '#contract/meeting-spots.ts';
import type { App } from '#server/app.ts';
import { expectOk, startTestApp, type TestApp } from '#server/testing/app.ts';
import { runCommand } from '#server/testing/run-command.ts';
import {
  addDefaultMeetingSpots,
  addMeetingSpot,
  changeMeetingSpot,
  confirmMeetingSpot,
  listForeignMeetingSpots,
  listStoredMeetingSpots,
  removeForeignMeetingSpots,
  removeMeetingSpot,
} from './public.ts';

let testApp: TestApp;
let app: App;
beforeAll(async () => {
  testApp = await startTestApp();
  app = { ...testApp.app, actor: { name: 'shell:alice', reason: 'Walked there' } };
});
beforeEach(() => testApp.sql`DELETE FROM meeting_spots`);
afterAll(() => testApp.close());

const unknown = { is_indoors: null, is_lit: null, has_camera_or_phone: null, opening_hours: null };
const library = { name: 'North Library', landmark: 'Main entrance', ...unknown };
const listPublic = async (): Promise<MeetingSpot[]> =>
  (await expectOk(testApp.server.inject({ url: '/rest/v1/meeting-spots' }))).items;

test('the default campus starts with spots that have only name and landmark; other campuses with none', async () => {
  await addDefaultMeetingSpots(testApp.sql, { domain: 'berkeley.edu' });
  expect(await listPublic()).toEqual([]);
  await addDefaultMeetingSpots(testApp.sql, defaultCampus);
  const shipped = await listPublic();
  expect(shipped.map(({ name }) => name)).toContain('Tommy Trojan');
  for (const spot of shipped) {
    expect(spot).toMatchObject(unknown);
    expect(spot.landmark).not.toBeNull();
  }
});

test('a later start neither overwrites a changed spot nor restores a removed one', async () => {
  await addDefaultMeetingSpots(testApp.sql, defaultCampus);
  await changeMeetingSpot(app, 'tommy trojan', { landmark: 'The statue' });
  await removeMeetingSpot(app, 'Leavey Library');
  const before = await listPublic();
  expect(before.map(({ name }) => name)).not.toContain('Leavey Library');
  await addDefaultMeetingSpots(testApp.sql, defaultCampus);
  expect(await listPublic()).toEqual(before);
  expect(before).toContainEqual(expect.objectContaining({ name: 'Tommy Trojan', landmark: 'The statue' }));
});

test('after a change of the campus, the spots of the default one can be removed together', async () => {
  await addDefaultMeetingSpots(testApp.sql, defaultCampus);
  await addMeetingSpot(app, library);
  expect(await listForeignMeetingSpots(app.sql, defaultCampus)).toEqual([]);
  await removeForeignMeetingSpots(app);
  expect(await listPublic()).not.toHaveLength(1);
  const campus = { ...defaultCampus, domain: 'berkeley.edu' };
  const moved = { ...app, config: { ...app.config, campus } };
  expect((await listForeignMeetingSpots(app.sql, campus)).map(({ name }) => name)).toContain('Tommy Trojan');
  await removeForeignMeetingSpots(moved);
  expect(await listPublic()).toMatchObject([{ name: 'North Library' }]);
  expect(await listForeignMeetingSpots(app.sql, campus)).toEqual([]);
});

test('facts about a spot are public only once confirmed, and a changed fact must be confirmed again', async () => {
  await addMeetingSpot(app, { ...library, is_lit: false });
  expect(await listPublic()).toMatchObject([
    { name: 'North Library', landmark: 'Main entrance', ...unknown },
  ]);
  await confirmMeetingSpot(app, 'north library');
  expect(await listPublic()).toMatchObject([{ is_lit: false, is_indoors: null }]);
  await changeMeetingSpot(app, 'North Library', { name: 'South Library', landmark: null });
  expect(await listPublic()).toMatchObject([{ name: 'South Library', landmark: null, is_lit: false }]);
  await changeMeetingSpot(app, 'South Library', { opening_hours: '8:00 to 22:00' });
  expect(await listPublic()).toMatchObject([unknown]);
  const [spot] = await listStoredMeetingSpots(app);
  expect(spot).toMatchObject({ is_lit: false, opening_hours: '8:00 to 22:00', confirmed_at: null });
  await confirmMeetingSpot(app, spot?.id ?? '');
  expect(await listPublic()).toMatchObject([{ is_lit: false, opening_hours: '8:00 to 22:00' }]);
});

test('a taken or blank name, an unknown or removed spot, and too many spots are refused with an error message', async () => {
  await addMeetingSpot(app, library);
  await addMeetingSpot(app, { ...library, name: 'Plaza' });
  await expect(addMeetingSpot(app, { ...library, name: 'PLAZA' })).rejects.toThrow(
    'There is already a meeting spot PLAZA',
  );
  await expect(changeMeetingSpot(app, 'Plaza', { name: 'North Library' })).rejects.toThrow(
    'There is already a meeting spot',
  );
  await expect(confirmMeetingSpot(app, 'Nowhere')).rejects.toThrow('There is no meeting spot Nowhere');
  await expect(addMeetingSpot(app, { ...library, name: ' ' })).rejects.toThrow(
    'The name has 1 to 100 characters',
  );
  const removedId = (await listStoredMeetingSpots(app)).find(({ name }) => name === 'Plaza')?.id ?? '';
  await removeMeetingSpot(app, 'Plaza');
  await expect(confirmMeetingSpot(app, removedId)).rejects.toThrow('The meeting spot Plaza was removed');
  await addMeetingSpot(app, { ...library, name: 'Plaza' });
  const { sql } = testApp;
  await sql`INSERT INTO meeting_spots (name) SELECT 'Gate ' || n FROM generate_series(3, ${maxMeetingSpots}::int) AS n`;
  await expect(addMeetingSpot(app, { ...library, name: 'One more' })).rejects.toThrow(
    'at most 100 meeting spots',
  );
  expect(await listPublic()).toHaveLength(maxMeetingSpots);
});

test('the command adds, changes, confirms and removes a spot, each with an audit entry', {
  timeout: 120_000,
}, async () => {
  const run = (...args: string[]) =>
    runCommand('spots', args, { QUAD_DATABASE_URL: testApp.databaseUrl, QUAD_DATA_DIR: testApp.dataDir });
  const reason = ['--reason', 'Walked there'];
  expect(await run('add', 'Plaza', '--landmark', 'By the fountain', '--lit', 'no', ...reason)).toMatchObject({
    code: 0,
    err: '',
    out: expect.stringMatching(/^Plaza\n.*By the fountain\n.*Not lit at night \(not confirmed/s),
  });
  await run('change', 'Plaza', '--lit', 'yes', '--camera', 'yes', ...reason);
  const confirmed = await run('confirm', 'plaza', ...reason);
  expect(confirmed.out).toContain('Lit at night, Camera or emergency phone nearby (confirmed)');
  expect(await listPublic()).toMatchObject([{ name: 'Plaza', is_lit: true, has_camera_or_phone: true }]);
  expect(await run('remove', 'Plaza', ...reason)).toMatchObject({ code: 0, out: '' });
  expect(await run('remove', 'Plaza', ...reason)).toMatchObject({
    code: 1,
    err: 'There is no meeting spot Plaza\n',
  });
  const entries = await testApp.sql`
    SELECT event, detail, reason FROM private.security_events WHERE reason = 'Walked there' AND detail = 'Plaza'
      AND at > ${new Date(Date.now() - 3600_000)} ORDER BY id`;
  expect(entries.map(({ event }) => event).slice(-4)).toEqual([
    'meeting_spot_added',
    'meeting_spot_changed',
    'meeting_spot_confirmed',
    'meeting_spot_removed',
  ]);
});
