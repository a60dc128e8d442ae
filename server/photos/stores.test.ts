import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startDiskPhotoServer, startS3House } from '#server/testing/photo-stores.ts';
import { drawPhoto, type PhotoServer } from '#server/testing/photos.ts';

let server: PhotoServer;
let owner: string;
let stop: () => Promise<void>;
afterEach(() => stop());

describe.each([
  ['on disk', startDiskPhotoServer],
  ['in an S3 store', startS3House],
])('photos %s', (_name, start) => {
  beforeEach(async () => {
    ({ server, stop } = await start());
    owner = await server.addUser();
  });

  test('a file serves with its tag, is not sent again to whoever has it, and lies under its address', async () => {
    const { publicUrl: url } = await server.upload(owner, { bytes: await drawPhoto() });
    const whole = await server.app.inject({ url });
    expect(whole.statusCode).toBe(200);
    expect(whole.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(whole.rawPayload.length),
      'cache-control': 'public, max-age=3600',
      'x-content-type-options': 'nosniff',
    });
    const tag = whole.headers.etag as string;
    const again = await server.app.inject({ url, headers: { 'if-none-match': tag } });
    expect([again.statusCode, again.rawPayload.length, again.headers.etag]).toEqual([304, 0, tag]);
    const head = await server.app.inject({ method: 'HEAD', url });
    expect([head.statusCode, head.headers['content-length']]).toEqual([200, String(whole.rawPayload.length)]);
    const derived = await server.app.inject({ url: `${url}@320.webp` });
    expect([derived.statusCode, derived.headers['content-type']]).toEqual([200, 'image/webp']);
    expect((await server.app.inject({ url: `${url}@999.webp` })).statusCode).toBe(404);
  });

  test('two uploads of the same name in the same instant are two photos', async () => {
    const bytes = await drawPhoto();
    const [first, second] = await Promise.all([
      server.upload(owner, { bytes }),
      server.upload(owner, { bytes }),
    ]);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.path).not.toBe(second.path);
  });

  test('a removed photo is gone with everything made of it', async () => {
    const { path, publicUrl: url } = await server.upload(owner, { bytes: await drawPhoto() });
    expect((await server.remove(owner, path)).statusCode).toBe(200);
    for (const address of [url, `${url}@320.webp`, `${url}@1600.avif`])
      expect((await server.app.inject({ url: address })).statusCode).toBe(404);
  });
});

test('promise 40: a store that is down is a clean error that passes: no row, and try again later', async () => {
  const s3 = await startS3House();
  ({ server, stop } = s3);
  owner = await server.addUser();
  const bytes = await drawPhoto();
  const { publicUrl: url } = await server.upload(owner, { bytes });
  await s3.store.close();
  expect(await server.upload(owner, { bytes })).toMatchObject({
    status: 503,
    code: 'unavailable',
    error: 'Failed to upload image. Please try again.',
  });
  expect((await server.app.inject({ url })).statusCode).toBe(503);
  expect(await server.objects()).toHaveLength(1);
  expect(await server.uploadFiles()).toEqual([]);
});
