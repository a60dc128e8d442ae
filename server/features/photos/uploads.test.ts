import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toPublicFileUrl } from '#contract/photos.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import { createTestPhoto, type PhotoServer, startPhotoServer } from '#server/testing/photos.ts';
import { listOwnedPhotos } from './reading.ts';
import { removeUnusedPhotos } from './removal.ts';
import { type PhotoUpload, removeUploadLeftovers, uploadPhoto } from './uploads.ts';

let server: PhotoServer;
let owner: string;
let photo: Buffer;
/** Number of writes that succeed before the disk is full. */
let writesLeft = Number.POSITIVE_INFINITY;

const limitWrites = (files: FileStore): FileStore => ({
  ...files,
  put: async (...args) => {
    if (writesLeft <= 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    writesLeft -= 1;
    return files.put(...args);
  },
});

beforeEach(async () => {
  writesLeft = Number.POSITIVE_INFINITY;
  server = await startPhotoServer({ wrap: limitWrites });
  owner = await server.addUser();
  photo = await createTestPhoto();
});
afterEach(() => server.stop());

const createUpload = (content: PassThrough, signal: AbortSignal): PhotoUpload => ({
  bucket: 'listing-photos',
  filename: 'x.jpg',
  content,
  announced: undefined,
  signal,
  assertSession: async () => {},
});

const insertDraftWithPhotos = (photos: string[]) => {
  const now = server.clock.now();
  return server.sql`
    INSERT INTO listings (slug, user_id, photos, status, created_at, updated_at)
    VALUES ('a-draft', ${owner}, ${photos}, 'draft', ${now}, ${now})`;
};

describe('faults', () => {
  test('promise 40: a full disk at any step returns a clean error and leaves no row or file; later uploads succeed', async () => {
    for (const writes of [0, 1, 2, 12]) {
      writesLeft = writes;
      expect(await server.upload(owner, { bytes: photo })).toMatchObject({
        status: 503,
        code: 'unavailable',
        error: 'Failed to upload image. Please try again.',
      });
      expect(await server.storedFiles()).toEqual([]);
      expect(await server.objects()).toEqual([]);
      expect(await server.uploadFiles()).toEqual([]);
    }
    writesLeft = Number.POSITIVE_INFINITY;
    expect(await server.upload(owner, { bytes: photo })).toMatchObject({ status: 200 });
  });

  test('promise 40: files are deleted when their row is refused because the owner was deleted', async () => {
    const content = new PassThrough();
    const { signal } = new AbortController();
    const upload = createUpload(content, signal);
    const refused = uploadPhoto(server.app, owner, upload).catch((error: unknown) => error);
    await expect.poll(() => server.uploadFiles()).toEqual(['source']);
    await server.sql`DELETE FROM users WHERE id = ${owner}`;
    content.end(photo);
    expect(await refused).toMatchObject({ constraint: 'objects_owner_id_fkey' });
    expect(await server.storedFiles()).toEqual([]);
    expect(await server.upload(owner, { bytes: photo })).toMatchObject({ status: 401 });
  });

  test('promise 25: killing the image process fails one upload; the next succeeds', async () => {
    await server.upload(owner, { bytes: photo });
    const pid = server.images.pid() ?? 0;
    process.kill(pid, 'SIGSTOP');
    const failing = server.upload(owner, { bytes: photo });
    await expect.poll(() => server.images.load()).toBe(1);
    process.kill(pid, 'SIGKILL');
    expect(await failing).toMatchObject({ status: 503, error: 'Failed to upload image. Please try again.' });
    expect(await server.upload(owner, { bytes: photo })).toMatchObject({ status: 200 });
    expect(await server.objects()).toHaveLength(2);
  });

  test('removes leftovers of uploads after a crash once they are old', async () => {
    server.clock.set(new Date());
    const content = new PassThrough();
    content.write(photo.subarray(0, 100));
    const controller = new AbortController();
    const upload = createUpload(content, controller.signal);
    const unfinished = uploadPhoto(server.app, owner, upload);
    await expect.poll(() => server.uploadFiles()).toEqual(['source']);
    await removeUploadLeftovers(server.app);
    expect(await server.uploadFiles()).toEqual(['source']);
    server.clock.advance(3601);
    await removeUploadLeftovers(server.app);
    expect(await server.uploadFiles()).toEqual([]);
    controller.abort();
    await expect(unfinished).rejects.toMatchObject({ code: 'request_timeout' });
  });
});

describe('promise 23: quotas', () => {
  test('allows four concurrent uploads per person across all processes and refuses the fifth; others are not affected', async () => {
    const processes = [server.app, server.createOtherApp()];
    const contents = Array.from({ length: 10 }, () => new PassThrough());
    const { signal } = new AbortController();
    const uploads = contents.map(async (content, index) => {
      const upload = createUpload(content, signal);
      return uploadPhoto(processes[index % 2] ?? server.app, owner, upload);
    });
    const refused: unknown[] = [];
    for (const upload of uploads) upload.catch((error: unknown) => refused.push(error));
    await expect.poll(() => refused).toHaveLength(6);
    for (const error of refused) expect(error).toMatchObject({ code: 'uploads_busy' });
    const other = await server.addUser();
    expect(await server.upload(other, { bytes: photo })).toMatchObject({ status: 200 });
    for (const content of contents) content.end(photo);
    const results = await Promise.allSettled(uploads);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
    expect(await server.upload(owner, { bytes: photo })).toMatchObject({ status: 200 });
  });

  test('stops counting the uploads of a dead host within a minute', async () => {
    const died = await startPhotoServer();
    const person = await died.addUser();
    const { signal } = new AbortController();
    for (let count = 0; count < 4; count += 1) {
      const content = new PassThrough();
      const upload = createUpload(content, signal);
      // This upload never ends, and it does not renew its slot before the test ends, as if its process had
      // died.
      uploadPhoto(died.app, person, upload).catch(() => undefined);
    }
    const countSlots = () => died.sql`SELECT FROM private.uploads_under_way`;
    await expect.poll(countSlots).toHaveLength(4);
    died.clock.advance(44);
    expect(await died.upload(person, { bytes: photo })).toMatchObject({ status: 429, code: 'uploads_busy' });
    died.clock.advance(1);
    expect(await died.upload(person, { bytes: photo })).toMatchObject({ status: 200 });
    await died.stop();
  });

  test('keeps the slot of an upload that takes longer than a lease', async () => {
    const slow = await startPhotoServer({ slotRenewalMs: 10 });
    const person = await slow.addUser();
    const { signal } = new AbortController();
    const contents = Array.from({ length: 4 }, () => new PassThrough());
    const uploads = contents.map((content) => {
      const upload = createUpload(content, signal);
      return uploadPhoto(slow.app, person, upload);
    });
    for (let count = 0; count < 3; count += 1) {
      const until = addSeconds(slow.clock.now(), 45);
      await expect
        .poll(() => slow.sql`SELECT FROM private.uploads_under_way WHERE until = ${until}`)
        .toHaveLength(4);
      expect(await slow.upload(person, { bytes: photo })).toMatchObject({ status: 429 });
      slow.clock.advance(30);
    }
    for (const content of contents) content.end(photo);
    await Promise.all(uploads);
    expect(await slow.sql`SELECT FROM private.uploads_under_way`).toHaveLength(0);
    await slow.stop();
  });
});

describe('objects in use', () => {
  test('a photo cannot be removed while a listing uses it', async () => {
    const { path, publicUrl: url } = await server.upload(owner, { bytes: photo });
    await insertDraftWithPhotos([url]);
    const refused = await server.remove(owner, path);
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'photo_in_use']);
    await removeUnusedPhotos(server.app, [url]);
    expect(await server.storedFiles()).toHaveLength(13);

    await server.sql`DELETE FROM listings`;
    expect((await server.remove(owner, path)).statusCode).toBe(200);
    expect(await server.storedFiles()).toEqual([]);
  });

  test('an avatar cannot be removed while the profile uses it', async () => {
    const { path, publicUrl: url } = await server.upload(owner, { bytes: photo }, 'avatars');
    await server.sql`UPDATE users SET avatar_url = ${url} WHERE id = ${owner}`;
    expect((await server.remove(owner, path, 'avatars')).statusCode).toBe(409);
    await server.sql`UPDATE users SET avatar_url = NULL`;
    expect((await server.remove(owner, path, 'avatars')).statusCode).toBe(200);
  });

  test('a photo cannot be removed while a listing that uses it is being saved', async () => {
    const { path, publicUrl: url } = await server.upload(owner, { bytes: photo });
    let removal: Promise<{ statusCode: number }> | undefined;
    await server.sql.begin(async (transaction) => {
      expect(await listOwnedPhotos(server.app, owner, 'listing-photos', [url], transaction)).toEqual([url]);
      removal = server.remove(owner, path);
      const waiting = () => server.sql`SELECT 1 FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      await expect.poll(waiting).toHaveLength(1);
      await transaction`INSERT INTO listings (slug, user_id, photos, status, created_at, updated_at)
        VALUES ('a-draft', ${owner}, ${[url]}, 'draft', ${server.clock.now()}, ${server.clock.now()})`;
    });
    expect((await removal)?.statusCode).toBe(409);
  });

  test('deleting by URL can be repeated, completes interrupted deletions and ignores URLs of other servers', async () => {
    const { publicUrl: url } = await server.upload(owner, { bytes: photo });
    const other = await server.upload(owner, { bytes: photo });
    await server.sql`DELETE FROM private.objects WHERE url = ${url}`;
    const addresses = [url, url, 'https://elsewhere.example/x.jpg', toPublicFileUrl('avatars', '../../../x')];
    await removeUnusedPhotos(server.app, addresses);
    await removeUnusedPhotos(server.app, addresses);
    expect(await server.storedFiles()).toHaveLength(13);
    expect(await server.objects()).toMatchObject([{ path: other.path }]);
  });

  test('listOwnedPhotos returns only photos of that person in that bucket', async () => {
    const own = await server.upload(owner, { bytes: photo });
    const avatar = await server.upload(owner, { bytes: photo }, 'avatars');
    const foreign = await server.upload(await server.addUser(), { bytes: photo });
    const urls = [own, avatar, foreign].map((stored) => stored.publicUrl);
    expect(await listOwnedPhotos(server.app, owner, 'listing-photos', [...urls, 'nonsense'])).toEqual([
      own.publicUrl,
    ]);
    expect(await listOwnedPhotos(server.app, owner, 'listing-photos', [])).toEqual([]);
  });
});
