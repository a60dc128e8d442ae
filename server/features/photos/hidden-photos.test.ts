import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CaseAction } from '#contract/moderation.ts';
import { buildPhotoCopyUrl } from '#contract/photos.ts';
import type { App } from '#server/app.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { buildMultipartBody, createTestPhoto, multipartContentType } from '#server/testing/photos.ts';
import { sendRequest } from '#server/testing/requests.ts';
import { createHiddenPhotos } from './hidden-photos.ts';
import { parseObjectUrl } from './object-names.ts';
import { findPhoto } from './reading.ts';

const images = createImageProcessor();
let testApp: TestApp;
let moderator: Person;
let seller: Person;
let stranger: Person;
let photo: string;
let avatar: string;
let listing: { id: string };

const upload = async (bucket: string): Promise<string> => {
  const response = await testApp.server.inject({
    method: 'POST',
    url: `/storage/v1/object/${bucket}`,
    headers: { ...seller.headers, 'content-type': multipartContentType },
    payload: buildMultipartBody({ bytes: await createTestPhoto() }),
  });
  expect(response.statusCode).toBe(200);
  return response.json().publicUrl;
};
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  testApp.server.inject({ method, url, headers });
const readStatus = async (url: string, headers?: Record<string, string>) =>
  (await get(url, headers)).statusCode;

let caseId = '';
const report = async (subject: 'listing' | 'user', subjectId: string) => {
  const form = { subject, subject_id: subjectId, reason: 'scam', text: '' };
  expect((await sendRequest(testApp, stranger, 'POST', '/rest/v1/reports', form)).status).toBe(200);
  const [row] = await testApp.sql<
    { id: string }[]
  >`SELECT id FROM private.moderation_cases ORDER BY opened_at DESC LIMIT 1`;
  caseId = row?.id ?? '';
};
const decide = async (action: CaseAction) => {
  const url = `/rest/v1/moderation/cases/${caseId}/actions`;
  const form = { action, reason: 'Counterfeit', ...(action === 'suspend' ? { days: 3 } : {}) };
  const { status, body } = await sendRequest(testApp, moderator, 'POST', url, form);
  expect([status, body.code]).toEqual([200, undefined]);
  await applyModerationActions(testApp);
};

/** Expects the same response to a request for a photo as to one for a photo that never existed. */
const expectMissing = async (url: string, headers: Record<string, string> = {}) => {
  const missing = await get(url.replace(/[^/]+$/, '1-missing.jpg'), headers);
  const response = await get(url, headers);
  expect([response.statusCode, response.body]).toEqual([404, missing.body]);
  expect(response.headers['cache-control']).toBe(missing.headers['cache-control']);
  expect(response.headers['cache-control']).toContain('no-store');
  expect(response.headers.etag).toBeUndefined();
};

beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_RATE_LIMITS: 'off' }, replace: { images } });
});
afterAll(async () => {
  await testApp.close();
  images.close();
});
beforeEach(async () => {
  testApp.clock.advance(60);
  moderator = await signInToConsole(testApp, 'moderator');
  seller = await testApp.signIn();
  stranger = await testApp.signIn();
  photo = await upload('listing-photos');
  avatar = await upload('avatars');
  expect((await sendRequest(testApp, seller, 'PATCH', '/rest/v1/me', { avatar_url: avatar })).status).toBe(
    200,
  );
  listing = (await submitListingForm(testApp, seller, { photos: [photo] })).body.listing;
});

test('photos of a listing that is taken down are missing for others until it is restored', async () => {
  const { etag } = (await get(photo)).headers;
  await report('listing', listing.id);
  await decide('unpublish');
  for (const url of [photo, buildPhotoCopyUrl(photo, 320, 'webp')])
    for (const headers of [{}, stranger.headers]) await expectMissing(url, headers);
  await expectMissing(photo, { 'if-none-match': String(etag) });
  expect((await get(photo, {}, 'HEAD')).statusCode).toBe(404);
  expect(await readStatus(avatar)).toBe(200);

  await decide('restore');
  expect(await readStatus(photo)).toBe(200);
  expect((await get(photo)).headers['cache-control']).toBe('public, max-age=3600');
});

test('hidden photos are served to their owner and to moderators, and stored in no cache', async () => {
  await report('listing', listing.id);
  await decide('unpublish');
  for (const { headers } of [seller, moderator]) {
    const response = await get(buildPhotoCopyUrl(photo, 320, 'webp'), headers);
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('private, no-store');
  }
  const other = await submitListingForm(testApp, stranger, { title: 'A listing of somebody else' });
  expect(other.status).toBe(200);
  expect(await readStatus(photo, stranger.headers)).toBe(404);
});

test('all photos of a suspended person are missing for others until the suspension is lifted', async () => {
  const unused = await upload('listing-photos');
  await report('user', seller.userId);
  await decide('suspend');
  for (const url of [photo, avatar, unused]) await expectMissing(url);
  expect(await readStatus(photo, moderator.headers)).toBe(200);
  // A suspension ends the sessions of the person.
  expect(await readStatus(photo, seller.headers)).toBe(404);

  await decide('restore');
  for (const url of [photo, avatar, unused]) expect(await readStatus(url)).toBe(200);
});

describe('another process', () => {
  const startOtherProcess = (sql: Sql = testApp.sql): App => ({
    ...testApp.app,
    sql,
    hiddenPhotos: createHiddenPhotos({ ...testApp.app, sql }),
  });
  const isServed = async (app: App) => {
    const object = parseObjectUrl(photo);
    return object !== undefined && (await findPhoto(app, object, async () => undefined)) !== undefined;
  };

  test('hides photos as soon as it learns of the decision, and knows earlier ones when it starts', async () => {
    const running = startOtherProcess();
    const stop = running.hiddenPhotos.follow();
    expect(await isServed(running)).toBe(true);
    await report('listing', listing.id);
    await decide('unpublish');
    expect(await isServed(running)).toBe(false);
    expect(await isServed(startOtherProcess())).toBe(false);
    await decide('restore');
    expect(await isServed(running)).toBe(true);
    stop();
  });

  test('still serves photos while the database is unavailable', async () => {
    const sql = openDatabase(testApp.databaseUrl, { max: 1 });
    const running = startOtherProcess(sql);
    await running.hiddenPhotos.prepare();
    await sql.end();
    testApp.clock.advance(60);
    expect(await isServed(running)).toBe(true);
    expect(await isServed(running)).toBe(true);
    await expect(isServed(startOtherProcess(sql))).rejects.toMatchObject({ code: 'CONNECTION_ENDED' });
  });

  test('hides photos within a minute if the announcement of a decision is lost', async () => {
    const running = startOtherProcess();
    expect(await isServed(running)).toBe(true);
    await report('listing', listing.id);
    await decide('unpublish');
    testApp.clock.advance(60);
    await expect.poll(() => isServed(running)).toBe(false);
  });
});
