import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OwnListing } from '#contract/listings.ts';
import { buildPhotoCopyUrl } from '#contract/photos.ts';
import { removeOrphanedPhotos } from '#server/features/photos/orphans.ts';
import { dayInSeconds } from '#server/platform/clock.ts';
import { createDiskFileStore, type FileStore, storeUnavailableCode } from '#server/platform/files/files.ts';
import { createAccountClient } from '#server/testing/account-deletion.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, removeDeletedListings, submitListingForm } from '#server/testing/listings.ts';
import { type RequestMethod, sendRequest } from '#server/testing/requests.ts';
import { takeDownListing } from './moderation.ts';

let root: string;
let files: FileStore;
/** Runs before each file is copied. */
let beforeCopy: (from: string) => Promise<void>;
let testApp: TestApp;
let seller: Person;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'copies-'));
  files = createDiskFileStore({ root });
  const watched: FileStore = {
    ...files,
    copy: async (from, to) => {
      await beforeCopy(from);
      return files.copy(from, to);
    },
  };
  testApp = await startTestApp({ replace: { files: watched } });
});
beforeEach(async () => {
  beforeCopy = async () => {};
  seller = await testApp.signIn();
});
afterAll(async () => {
  await testApp.close();
  await rm(root, { recursive: true });
});

const send = (method: RequestMethod, url: string, payload?: object) =>
  sendRequest(testApp, seller, method, url, payload);
const uploadPhoto = async (): Promise<string> =>
  (await createAccountClient(testApp).upload(seller)).publicUrl;
const post = async (form: ListingForm = {}): Promise<OwnListing> =>
  (await submitListingForm(testApp, seller, form)).body.listing;
const postSold = async (form: ListingForm = {}): Promise<OwnListing> => {
  const { id } = await post(form);
  return (await send('POST', `/rest/v1/me/listings/${id}/sold`, {})).body;
};
const copy = (id: string) => send('POST', `/rest/v1/me/listings/${id}/copy`);
const read = async (id: string): Promise<OwnListing> =>
  (await send('GET', `/rest/v1/me/listings/${id}`)).body;
const copyAndRead = async (id: string): Promise<OwnListing> => read((await copy(id)).body.id);
const listDrafts = async (): Promise<OwnListing[]> =>
  (await send('GET', '/rest/v1/me/listings?status=draft')).body.items;

/** Returns the status of a request for each photo and for one of its resized copies. */
const readPhotos = (urls: readonly string[]): Promise<number[]> =>
  Promise.all(
    urls
      .flatMap((url) => [url, buildPhotoCopyUrl(url, 640, 'webp')])
      .map(async (url) => (await testApp.server.inject({ url })).statusCode),
  );
const countFiles = async (): Promise<number> => {
  const folder = join(root, 'listing-photos', seller.userId);
  return (await readdir(folder).catch(() => [])).length;
};

test('a copy has the texts of a sold listing, but not its date, slug and sale', async () => {
  const original = await postSold({ category: 'game-day', gameDate: '2099-10-03', isPriceFirm: true });
  expect(original).toMatchObject({ status: 'sold', game_date: '2099-10-03' });
  const { title, description, price, condition, location, contact_email } = original;
  const draft = await copyAndRead(original.id);
  expect(draft).toMatchObject({
    ...{ title, description, price, condition, location, contact_email, category: 'game-day' },
    ...{ is_price_firm: true, status: 'draft', game_date: null, sold_at: null, published_at: null },
  });
  expect(draft.id).not.toBe(original.id);
  expect(draft.slug).not.toBe(original.slug);
  expect(await read(original.id)).toEqual(original);
});

test.each(['original', 'copy'])(
  'promise 96: a copy and its original share no photo, and deleting the %s leaves the other whole',
  async (deleted) => {
    const original = await postSold({ photos: [await uploadPhoto(), await uploadPhoto()] });
    const draft = await copyAndRead(original.id);
    expect(draft.images.map(({ url }) => url)).toEqual(draft.photos);
    expect(draft.photos).toHaveLength(2);
    for (const url of draft.photos) expect(original.photos).not.toContain(url);
    expect(await readPhotos([...original.photos, ...draft.photos])).toEqual(Array(8).fill(200));

    const [gone, left] = deleted === 'copy' ? [draft, original] : [original, draft];
    await send('DELETE', `/rest/v1/me/listings/${gone.id}`);
    await removeDeletedListings(testApp);
    expect(await readPhotos(gone.photos)).toEqual(Array(4).fill(404));
    expect(await readPhotos(left.photos)).toEqual(Array(4).fill(200));
    expect((await read(left.id)).images).toHaveLength(2);
  },
);

test('copying again, also at the same time, returns the draft until it is published', async () => {
  const { id } = await postSold({ photos: [await uploadPhoto()] });
  const answers = await Promise.all([copy(id), copy(id), copy(id)]);
  const draft = answers[0].body.id;
  expect(answers).toEqual(Array(3).fill({ status: 200, body: { id: draft } }));
  expect(await copy(id)).toEqual({ status: 200, body: { id: draft } });
  expect(await listDrafts()).toHaveLength(1);

  await send('PATCH', `/rest/v1/me/listings/${draft}`, { status: 'published' });
  await send('PATCH', `/rest/v1/me/listings/${draft}`, { status: 'draft' });
  expect((await copy(id)).body.id).not.toBe(draft);
});

test('a draft that was deleted is not returned', async () => {
  const { id } = await postSold();
  const draft = (await copy(id)).body.id;
  await send('DELETE', `/rest/v1/me/listings/${draft}`);
  expect((await copy(id)).body.id).not.toBe(draft);
});

test('copies what was given away or rented for good, but not what is published or a draft', async () => {
  const gift = await postSold({ category: 'free', price: 0 });
  const rental = await postSold({ category: 'rentals', rentalPeriod: 'week' });
  for (const { id } of [gift, rental]) expect((await copy(id)).status).toBe(200);
  for (const status of ['published', 'draft']) {
    const { id } = await post({ status, photos: [await uploadPhoto()] });
    const before = await countFiles();
    expect(await copy(id)).toMatchObject({ status: 409, body: { code: 'listing_not_ended' } });
    expect(await countFiles()).toBe(before);
  }
});

test('copies a listing whose game has passed, and a paused one', async () => {
  const passed = await post({ category: 'game-day', gameDate: '2099-10-03' });
  await testApp.sql`UPDATE listings SET game_date = '2026-03-01' WHERE id = ${passed.id}`;
  expect(await copyAndRead(passed.id)).toMatchObject({ status: 'draft', game_date: null, ended_at: null });
  const paused = await post();
  await testApp.sql`
    UPDATE listings SET status = 'draft', paused_at = ${testApp.clock.now()} WHERE id = ${paused.id}`;
  expect(await copyAndRead(paused.id)).toMatchObject({ status: 'draft', paused_at: null });
});

test('does not copy a paused listing that was taken down', async () => {
  const { id } = await post();
  await testApp.sql`UPDATE listings SET status = 'draft', paused_at = ${testApp.clock.now()} WHERE id = ${id}`;
  await takeDownListing(testApp.app, id, 'It offers what may not be sold here.');
  expect(await copy(id)).toMatchObject({ status: 409, body: { code: 'listing_not_ended' } });
  expect((await send('POST', `/rest/v1/me/listings/${id}/sold`, {})).status).toBe(409);
});

test('a rental that came back is active again, without a copy', async () => {
  const { id, title } = await post({ category: 'rentals', title: 'Projector for a movie night' });
  const today = testApp.clock.now().toISOString().slice(0, 10);
  await send('POST', `/rest/v1/me/listings/${id}/sold`, { until: today });
  await testApp.sql`UPDATE listings SET rented_until = rented_until - 2 WHERE id = ${id}`;
  expect((await copy(id)).body).toMatchObject({ code: 'listing_not_ended' });
  expect((await send('GET', '/rest/v1/me/listings')).body.counts).toMatchObject({ active: 1, rented: 0 });
  const { body } = await send('GET', '/rest/v1/listings?category=rentals&available=true&limit=100');
  expect(body.items.map((item: OwnListing) => item.title)).toContain(title);
});

describe('faults', () => {
  test('a photo that is missing in the store is left out', async () => {
    const [missing, whole] = [await uploadPhoto(), await uploadPhoto()];
    const { id } = await postSold({ photos: [missing, whole] });
    await files.delete(missing.replace('/storage/v1/object/public/', ''));
    const { photos } = await copyAndRead(id);
    expect(photos).toHaveLength(1);
    expect(await readPhotos(photos)).toEqual([200, 200]);
  });

  test('a photo that is removed while it is copied is left out', async () => {
    const [removed, whole] = [await uploadPhoto(), await uploadPhoto()];
    const { id } = await postSold({ photos: [removed, whole] });
    beforeCopy = async () => {
      await testApp.sql`DELETE FROM private.objects WHERE url = ${removed}`;
    };
    expect((await copyAndRead(id)).photos).toHaveLength(1);
  });

  test('a store that is unavailable leaves no draft, and another try succeeds', async () => {
    const { id } = await postSold({ photos: [await uploadPhoto()] });
    beforeCopy = async () => {
      throw Object.assign(new Error('the store is down'), { code: storeUnavailableCode });
    };
    expect(await copy(id)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(await listDrafts()).toEqual([]);
    beforeCopy = async () => {};
    expect((await copyAndRead(id)).photos).toHaveLength(1);
  });

  test('a listing that is deleted while its photos are copied leaves no draft, and the files are removed', async () => {
    // Files have the time of the machine.
    testApp.clock.set(new Date());
    seller = await testApp.signIn();
    const { id } = await postSold({ photos: [await uploadPhoto()] });
    const before = await countFiles();
    beforeCopy = async () => {
      beforeCopy = async () => {};
      await send('DELETE', `/rest/v1/me/listings/${id}`);
    };
    expect(await copy(id)).toMatchObject({ status: 404, body: { code: 'listing_not_found' } });
    expect(await countFiles()).toBe(2 * before);
    expect(await listDrafts()).toEqual([]);
    // The files without rows that a process leaves which ends before it stores the draft are of the same kind.
    testApp.clock.advance(dayInSeconds + 60);
    await removeOrphanedPhotos(testApp.app);
    expect(await countFiles()).toBe(before);
  });
});
