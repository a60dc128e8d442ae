import { once } from 'node:events';
import { connect } from 'node:net';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { buildPhotoCopyUrl, maxAvatarBytes, maxPhotoBytes, photoCopyWidths } from '#contract/photos.ts';
import {
  buildMultipartHead,
  createTestPhoto,
  multipartContentType,
  multipartTail,
  type PhotoServer,
  startPhotoServer,
} from '#server/testing/photos.ts';

let server: PhotoServer;
let owner: string;
let stranger: string;

beforeAll(async () => {
  server = await startPhotoServer();
  owner = await server.addUser();
  stranger = await server.addUser();
});
afterEach(async () => {
  await expect.poll(() => server.uploadFiles()).toEqual([]);
});
afterAll(() => server.stop());

const requestUrl = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.http.inject({ method, url, headers });

describe('uploading', () => {
  test('returns path and URL, and stores a row and all resized copies', async () => {
    const stored = await server.upload(owner, {
      bytes: await createTestPhoto(700, 350),
      name: 'My Desk.png',
    });
    const timestamp = server.clock.now().getTime();
    expect(stored).toEqual({
      status: 200,
      path: `${owner}/${timestamp}-My-Desk.jpg`,
      publicUrl: `/storage/v1/object/public/listing-photos/${owner}/${timestamp}-My-Desk.jpg`,
    });
    const object = (await server.objects()).find(({ url }) => url === stored.publicUrl);
    expect(object).toMatchObject({ width: 700, height: 350 });
    expect(object?.thumbhash).toMatch(/^[A-Za-z0-9+/=]{8,}$/);
    for (const size of photoCopyWidths) {
      for (const format of ['avif', 'webp', 'jpeg'] as const) {
        const response = await requestUrl(buildPhotoCopyUrl(stored.publicUrl, size, format));
        expect(response.statusCode).toBe(200);
        expect((await sharp(response.rawPayload).metadata()).width).toBe(Math.min(size, 700));
      }
    }
  });

  test('stores two concurrent uploads of one name as two objects', async () => {
    const bytes = await createTestPhoto();
    const both = await Promise.all([server.upload(owner, { bytes }), server.upload(owner, { bytes })]);
    expect(both.map((stored) => stored.status)).toEqual([200, 200]);
    expect(both[0]?.path).not.toBe(both[1]?.path);
  });

  test('crops an avatar to a square JPEG', async () => {
    const stored = await server.upload(
      owner,
      { bytes: await createTestPhoto(90, 60), name: 'me.webp' },
      'avatars',
    );
    expect(stored.path).toBe(`${owner}/${server.clock.now().getTime()}.jpg`);
    const { width, height, format } = await sharp((await requestUrl(stored.publicUrl)).rawPayload).metadata();
    expect([width, height, format]).toEqual([60, 60, 'jpeg']);
  });

  test('requires a session, a known bucket and a multipart body with a file', async () => {
    const post = (url: string, headers: Record<string, string>, payload = '') =>
      server.http.inject({ method: 'POST', url, headers, payload });
    const signedIn = { authorization: `Bearer ${owner}` };
    const url = '/storage/v1/object/listing-photos';
    expect((await post(url, { 'content-type': multipartContentType })).json().code).toBe('not_authenticated');
    expect((await server.upload(owner, { bytes: await createTestPhoto() }, 'secrets')).code).toBe(
      'bucket_not_found',
    );
    expect((await post(url, { ...signedIn, 'content-type': 'application/json' }, '{}')).json().code).toBe(
      'unsupported_media_type',
    );
    const field = '--xyz\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--xyz--\r\n';
    for (const payload of ['', '--xyz--\r\n', 'nonsense', field]) {
      const response = await post(url, { ...signedIn, 'content-type': multipartContentType }, payload);
      expect([response.statusCode, response.json().code]).toEqual([400, 'malformed_request']);
    }
  });

  test('promise 19: refuses files that are not pictures, with the exact message for photos and for avatars', async () => {
    const before = await server.storedFiles();
    for (const text of [
      '<!doctype html>',
      '<svg xmlns="http://www.w3.org/2000/svg"/>',
      'GIF89a',
      '%PDF-1.7',
    ]) {
      const bytes = Buffer.from(text);
      expect(await server.upload(owner, { bytes })).toMatchObject({
        status: 415,
        code: 'photo_type',
        error: 'Only JPG, JPEG, PNG, and WEBP images are allowed',
      });
      expect(await server.upload(owner, { bytes }, 'avatars')).toMatchObject({
        status: 415,
        error: 'Please upload an image file',
      });
    }
    const truncated = (await createTestPhoto(300, 300)).subarray(0, 700);
    expect(await server.upload(owner, { bytes: Buffer.alloc(0) })).toMatchObject({
      status: 422,
      code: 'photo_unreadable',
    });
    expect(await server.upload(owner, { bytes: truncated })).toMatchObject({
      status: 422,
      code: 'photo_truncated',
      error: 'A part of this image is missing. Please choose it again.',
    });
    expect(await server.storedFiles()).toEqual(before);
  });

  test('promise 20: removes GPS data from the photos it serves', async () => {
    const withGps = await sharp(await createTestPhoto(64, 64))
      .withExif({ IFD0: { Make: 'Camera' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '34/1 1/1 0/1' } })
      .jpeg()
      .toBuffer();
    const { publicUrl } = await server.upload(owner, { bytes: withGps });
    const served = (await requestUrl(publicUrl)).rawPayload;
    expect((await sharp(withGps).metadata()).exif).toBeDefined();
    expect((await sharp(served).metadata()).exif).toBeUndefined();
  });

  test("promise 22: stores a hostile file name in its owner's folder", async () => {
    const names = ['../../../../x.jpg', '%2e%2e%2f%2e%2e%2fx.jpg', 'a\0.jpg', '..\\x.jpg', 'n'.repeat(4096)];
    for (const name of names) {
      const stored = await server.upload(owner, { bytes: await createTestPhoto(), name });
      expect(stored.path).toMatch(new RegExp(`^${owner}/\\d+-[A-Za-z0-9-]+\\.jpg$`));
      expect((await requestUrl(buildPhotoCopyUrl(stored.publicUrl, 1600, 'webp'))).statusCode).toBe(200);
    }
  });
});

describe('promise 21: an upload that is too large, too slow or of the wrong length is aborted and leaves no file', () => {
  let port: number;
  const listen = async ({ http }: PhotoServer) =>
    Number(new URL(await http.listen({ port: 0, host: '127.0.0.1' })).port);
  beforeAll(async () => {
    port = await listen(server);
  });

  const tooLong = 'File size must be less than 10MB (10.0MB)';

  test('the size limits are one byte below ten megabytes for photos and five megabytes for avatars', async () => {
    const start = Buffer.from('ffd8ff', 'hex');
    expect([maxPhotoBytes + 1, maxAvatarBytes + 1]).toEqual([10 * 1024 * 1024, 5 * 1024 * 1024]);
    const exactly = await server.upload(owner, { bytes: Buffer.concat([start], maxPhotoBytes) });
    expect(exactly).toMatchObject({ status: 422, code: 'photo_unreadable' });
    const more = await server.upload(owner, { bytes: Buffer.concat([start], maxPhotoBytes + 1) });
    expect(more).toMatchObject({ status: 413, code: 'photo_too_large', error: tooLong });
    const avatar = await server.upload(
      owner,
      { bytes: Buffer.concat([start], maxAvatarBytes + 1) },
      'avatars',
    );
    expect(avatar).toMatchObject({ status: 413, error: 'Image must be less than 5MB' });
    const smaller = await server.upload(owner, { bytes: Buffer.concat([start], maxAvatarBytes) }, 'avatars');
    expect(smaller).toMatchObject({ status: 422, code: 'photo_unreadable' });
  });

  test('refuses a declared length far above the limit before reading the body, and states the size', async () => {
    const response = await sendRaw({ length: 25 * 1024 * 1024 }, [buildMultipartHead('x.jpg')]);
    expect(response).toMatch(/^HTTP\/1.1 413 /);
    expect(response).toContain('File size must be less than 10MB (25.0MB)');
    expect(response.toLowerCase()).toContain('connection: close');
  });

  test('aborts an endless body at the limit', async () => {
    const endless = Buffer.alloc(64 * 1024, 0xff);
    const pieces = Array.from({ length: 161 }, () => endless);
    const response = await sendRaw('chunked', [buildMultipartHead('x.jpg'), ...pieces]);
    expect(response).toContain(tooLong);
  });

  test('stops reading a body at its declared length', async () => {
    const photo = await createTestPhoto(600, 600);
    const head = buildMultipartHead('x.jpg');
    const response = await sendRaw({ length: head.length + 500 }, [head, photo, multipartTail]);
    expect(response).toMatch(/^HTTP\/1.1 400 /);
  });

  test('times out when a body stops arriving, before and within the file', async () => {
    const withShortTimeouts = await startPhotoServer({ timeouts: { idle: 50, total: 150 } });
    await withShortTimeouts.addUser(owner);
    const listening = await listen(withShortTimeouts);
    const pieces = [buildMultipartHead('x.jpg'), Buffer.from('ffd8ff', 'hex')];
    for (const sent of [[], pieces]) {
      expect(await sendRaw({ length: 5000 }, sent, listening)).toMatch(/^HTTP\/1.1 408 /);
    }
    expect(await withShortTimeouts.uploadFiles()).toEqual([]);
    await withShortTimeouts.stop();
  });

  test('leaves no file when the client disconnects', async () => {
    const before = await server.storedFiles();
    const socket = connect(port, '127.0.0.1');
    socket.write(requestHead({ length: 9000 }));
    socket.write(buildMultipartHead('x.jpg'));
    socket.write(Buffer.alloc(3000, 0xff));
    await expect.poll(() => server.uploadFiles()).toEqual(['source']);
    socket.destroy();
    await expect.poll(() => server.uploadFiles()).toEqual([]);
    expect(await server.storedFiles()).toEqual(before);
  });

  const requestHead = (body: { length: number } | 'chunked') =>
    [
      'POST /storage/v1/object/listing-photos HTTP/1.1',
      'host: localhost',
      `authorization: Bearer ${owner}`,
      `content-type: ${multipartContentType}`,
      body === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${body.length}`,
      '\r\n',
    ].join('\r\n');

  /** Sends an upload over a raw socket and returns everything received until it closes. */
  const sendRaw = async (
    body: { length: number } | 'chunked',
    pieces: Buffer[],
    to = port,
  ): Promise<string> => {
    const socket = connect(to, '127.0.0.1');
    const received: Buffer[] = [];
    socket.on('data', (piece: Buffer) => received.push(piece));
    // Ignore connection errors: the server closes the connection at the end of a refused body, and bytes that were
    // sent after it make its operating system reset the connection.
    socket.on('error', () => {});
    socket.write(requestHead(body));
    for (const piece of pieces) {
      if (body === 'chunked') {
        socket.write(`${piece.length.toString(16)}\r\n`);
        socket.write(piece);
        socket.write('\r\n');
      } else socket.write(piece);
    }
    await once(socket, 'close');
    return Buffer.concat(received).toString('latin1');
  };
});

describe('promise 23: 60 uploads an hour', () => {
  test('refuses the 61st upload, even if the others failed', async () => {
    const limited = await startPhotoServer({ limited: true });
    const user = await limited.addUser();
    const attempt = () => limited.upload(user, { bytes: Buffer.from('no picture') }, 'secrets');
    for (let count = 0; count < 60; count += 1) expect((await attempt()).code).toBe('bucket_not_found');
    expect(await attempt()).toMatchObject({ status: 429, code: 'rate_limited' });
    // Photos of messages have a limit of their own.
    const photo = await limited.upload(user, { bytes: Buffer.from('no picture') }, 'message-photos');
    expect(photo.status).not.toBe(429);
    await limited.stop();
  });
});

describe('serving', () => {
  test('promise 24: sends type, nosniff and sandbox headers; caches originals for an hour, and copies for a year, but shared caches for an hour', async () => {
    const { publicUrl } = await server.upload(owner, { bytes: await createTestPhoto() });
    const served = await requestUrl(publicUrl);
    expect(served.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=3600',
      'content-length': String(served.rawPayload.length),
    });
    for (const format of ['avif', 'webp', 'jpeg'] as const) {
      expect((await requestUrl(buildPhotoCopyUrl(publicUrl, 320, format))).headers).toMatchObject({
        'content-type': `image/${format}`,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=31536000, immutable, s-maxage=3600',
      });
    }
  });

  test('responds to HEAD with headers only, and to a known ETag with 304', async () => {
    const { publicUrl } = await server.upload(owner, { bytes: await createTestPhoto() });
    const full = await requestUrl(publicUrl);
    const head = await requestUrl(publicUrl, {}, 'HEAD');
    expect(head.headers['content-length']).toBe(String(full.rawPayload.length));
    expect(head.rawPayload).toHaveLength(0);
    const etag = String(full.headers.etag);
    for (const known of [etag, `"other", ${etag}`, '*']) {
      const response = await requestUrl(publicUrl, { 'if-none-match': known });
      expect([response.statusCode, response.rawPayload.length]).toEqual([304, 0]);
      expect(response.headers['cache-control']).toBe('public, max-age=3600');
    }
    expect((await requestUrl(publicUrl, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  test('promise 22: no URL reaches outside the file store', async () => {
    const paths = [
      '../../../package.json',
      '..%2f..%2fpackage.json',
      '%2e%2e/%2e%2e/package.json',
      `${owner}/%00.jpg`,
      `${owner}/a%0d%0ab.jpg`,
      'n'.repeat(4096),
      '.incoming',
      '',
    ];
    for (const path of paths) {
      const response = await requestUrl(`/storage/v1/object/public/listing-photos/${path}`);
      expect([path, response.statusCode]).toEqual([path, 404]);
    }
    expect((await requestUrl('/storage/v1/object/public/secrets/x')).json().code).toBe('bucket_not_found');
  });
});

describe('removing', () => {
  test('deletes the row, the original and all resized copies for the owner', async () => {
    const before = await server.storedFiles();
    const { path, publicUrl } = await server.upload(owner, {
      bytes: await createTestPhoto(),
      name: 'gone.jpg',
    });
    expect((await server.remove(owner, path)).statusCode).toBe(200);
    expect((await requestUrl(publicUrl)).statusCode).toBe(404);
    expect((await requestUrl(buildPhotoCopyUrl(publicUrl, 320, 'webp'))).statusCode).toBe(404);
    expect(await server.storedFiles()).toEqual(before);
    expect((await server.objects()).map(({ url }) => url)).not.toContain(publicUrl);
    expect((await server.remove(owner, path)).json().code).toBe('object_not_found');
  });

  test("promise 23: refuses to remove another person's object as if it did not exist", async () => {
    const { path, publicUrl } = await server.upload(owner, { bytes: await createTestPhoto() });
    const refused = await server.remove(stranger, path);
    const missing = await server.remove(stranger, `${owner}/1-nothing.jpg`);
    expect([refused.statusCode, refused.json()]).toEqual([404, missing.json()]);
    expect((await server.remove(stranger, `${owner}/%00.jpg`)).json()).toEqual(missing.json());
    expect(
      (await server.http.inject({ method: 'DELETE', url: publicUrl.replace('/public', '') })).statusCode,
    ).toBe(401);
    expect((await requestUrl(publicUrl)).statusCode).toBe(200);
  });
});
