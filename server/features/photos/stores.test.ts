import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDiskPhotoServer, startS3PhotoServer } from '#server/testing/photo-stores.ts';
import { createTestPhoto, type PhotoServer } from '#server/testing/photos.ts';

let server: PhotoServer;
let owner: string;
let stopServer: () => Promise<void>;
afterEach(() => stopServer());

describe.each([
  ['on disk', startDiskPhotoServer],
  ['in an S3 store', startS3PhotoServer],
])('photos stored %s', (_name, start) => {
  beforeEach(async () => {
    ({ server, stop: stopServer } = await start());
    owner = await server.addUser();
  });

  test('serves photos and resized copies with an ETag, returns 304 for a known ETag, and supports HEAD', async () => {
    const { publicUrl: url } = await server.upload(owner, { bytes: await createTestPhoto() });
    const full = await server.http.inject({ url });
    expect(full.statusCode).toBe(200);
    expect(full.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(full.rawPayload.length),
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    });
    const tag = full.headers.etag as string;
    const again = await server.http.inject({ url, headers: { 'if-none-match': tag } });
    expect([again.statusCode, again.rawPayload.length, again.headers.etag]).toEqual([304, 0, tag]);
    const head = await server.http.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(full.rawPayload.length)]);
    const derived = await server.http.inject({ url: `${url}@320.webp` });
    expect([derived.statusCode, derived.headers['content-type']]).toEqual([200, 'image/webp']);
    expect((await server.http.inject({ url: `${url}@999.webp` })).statusCode).toBe(404);
  });

  test('stores two concurrent uploads of the same name as two photos', async () => {
    const bytes = await createTestPhoto();
    const [first, second] = await Promise.all([
      server.upload(owner, { bytes }),
      server.upload(owner, { bytes }),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.path).not.toBe(second.path);
  });

  test('removes a photo with all its resized copies', async () => {
    const { path, publicUrl: url } = await server.upload(owner, { bytes: await createTestPhoto() });
    expect((await server.remove(owner, path)).statusCode).toBe(200);
    for (const address of [url, `${url}@320.webp`, `${url}@1600.avif`])
      expect((await server.http.inject({ url: address })).statusCode).toBe(404);
  });
});

test('promise 40: returns a clean 503 without creating a row while the store is down', async () => {
  const s3 = await startS3PhotoServer();
  ({ server, stop: stopServer } = s3);
  owner = await server.addUser();
  const bytes = await createTestPhoto();
  const { publicUrl: url } = await server.upload(owner, { bytes });
  await s3.store.close();
  expect(await server.upload(owner, { bytes })).toMatchObject({
    status: 503,
    code: 'unavailable',
    error: 'Failed to upload image. Please try again.',
  });
  expect((await server.http.inject({ url })).statusCode).toBe(503);
  expect(await server.objects()).toHaveLength(1);
  expect(await server.uploadFiles()).toEqual([]);
});
