import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ImagePresetName, ProcessedImage } from './image-presets.ts';
import { createImageProcessor, type ImageProcessor } from './images.ts';

let folder: string;
let images: ImageProcessor;
const testProcessors: ImageProcessor[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'images-'));
  images = createImageProcessor();
});
afterEach(() => {
  vi.useRealTimers();
  for (const other of testProcessors.splice(0)) other.close();
});
afterAll(async () => {
  images.close();
  await rm(folder, { recursive: true });
});

const createTestProcessor = (options: Parameters<typeof createImageProcessor>[0]): ImageProcessor => {
  const created = createImageProcessor(options);
  testProcessors.push(created);
  return created;
};

let uploadCount = 0;
const processUpload = async (bytes: Buffer, preset: ImagePresetName = 'listing-photo', by = images) => {
  uploadCount += 1;
  const source = join(folder, `upload-${uploadCount}.jpg`);
  await writeFile(source, bytes);
  return by.process({ source, folder: await mkdtemp(join(folder, 'out-')), preset });
};

const processAcceptedImage = async (bytes: Buffer, preset?: ImagePresetName): Promise<ProcessedImage> => {
  const result = await processUpload(bytes, preset);
  if ('refused' in result) throw new Error(`refused: ${result.refused}`);
  return result.image;
};

const createSolidImage = (width: number, height: number, background = '#336699') =>
  sharp({ create: { width, height, channels: 3, background } });

/** Draws an image whose left half is red and right half blue. */
const createRedBlueImage = async (width: number, height: number) =>
  createSolidImage(width, height, '#ff0000').composite([
    {
      input: await createSolidImage(width / 2, height, '#0000ff')
        .png()
        .toBuffer(),
      left: width / 2,
      top: 0,
    },
  ]);

const findBasePath = (image: ProcessedImage) => image.files.find((file) => file.suffix === '')?.path ?? '';

const readColorAt = async (path: string, left: number, top: number) => {
  const pixel = await sharp(path).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...pixel];
};

describe('processing a photo', () => {
  test('creates every size in every format without enlarging, with a base of at most 1600 pixels', async () => {
    const { width, height, thumbhash, files } = await processAcceptedImage(
      await createSolidImage(2400, 1200).jpeg().toBuffer(),
    );
    expect([width, height]).toEqual([1600, 800]);
    expect(Buffer.from(thumbhash, 'base64').length).toBeGreaterThan(4);
    const sizes = await Promise.all(
      files.map(async ({ suffix, path }) => [suffix, (await sharp(path).metadata()).width]),
    );
    expect(Object.fromEntries(sizes)).toEqual({
      '@320.avif': 320,
      '@320.webp': 320,
      '@320.jpeg': 320,
      '@640.avif': 640,
      '@640.webp': 640,
      '@640.jpeg': 640,
      '@1024.avif': 1024,
      '@1024.webp': 1024,
      '@1024.jpeg': 1024,
      '@1600.avif': 1600,
      '@1600.webp': 1600,
      '@1600.jpeg': 1600,
      '': 1600,
    });
    for (const file of files) expect((await readFile(file.path)).length).toBe(file.bytes);
  });

  test('creates files with the same names for a small photo, none wider than the original', async () => {
    const { files } = await processAcceptedImage(await createSolidImage(500, 400).jpeg().toBuffer());
    const widths = files
      .filter((file) => file.suffix.endsWith('webp'))
      .map(async ({ suffix, path }) => [suffix, (await sharp(path).metadata()).width]);
    expect(Object.fromEntries(await Promise.all(widths))).toEqual({
      '@320.webp': 320,
      '@640.webp': 500,
      '@1024.webp': 500,
      '@1600.webp': 500,
    });
  });

  test('crops an avatar to a square of at most 512 pixels', async () => {
    const large = await processAcceptedImage(
      await (await createRedBlueImage(2000, 1000)).png().toBuffer(),
      'avatar',
    );
    expect([large.width, large.height]).toEqual([512, 512]);
    expect(large.files.map((file) => file.suffix)).toContain('@96.webp');
    const small = await processAcceptedImage(await createSolidImage(300, 200).webp().toBuffer(), 'avatar');
    expect([small.width, small.height]).toEqual([200, 200]);
  });

  test('promise 20: removes GPS and all other metadata and applies the orientation', async () => {
    // EXIF orientation 6 rotates the picture a quarter turn clockwise, so its left half becomes the top half.
    const original = await (await createRedBlueImage(400, 200))
      .withExif({
        IFD0: { Make: 'Camera', Copyright: 'me' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '34/1 1/1 0/1' },
      })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const before = await sharp(original).metadata();
    expect(before.orientation).toBe(6);
    expect(before.exif?.includes('Camera')).toBe(true);

    const image = await processAcceptedImage(original);
    expect([image.width, image.height]).toEqual([200, 400]);
    const [red, , blue] = await readColorAt(findBasePath(image), 100, 50);
    expect(red).toBeGreaterThan(200);
    expect(blue).toBeLessThan(60);
    for (const file of image.files) {
      const { exif, icc, xmp, iptc, orientation } = await sharp(file.path).metadata();
      expect({ exif, icc, xmp, iptc, orientation }).toEqual({});
      const bytes = await readFile(file.path, 'latin1');
      expect(bytes).not.toContain('Camera');
      expect(bytes).not.toContain('GPS');
    }
  });

  test('converts a wide-gamut picture to sRGB', async () => {
    const wide = await createSolidImage(64, 64, '#00c000')
      .withIccProfile('p3')
      .jpeg({ quality: 100 })
      .toBuffer();
    const raw = await sharp(wide, { ignoreIcc: true }).raw().toBuffer();
    const image = await processAcceptedImage(wide);
    const [red, green, blue] = await readColorAt(findBasePath(image), 32, 32);
    expect(raw[0]).toBeGreaterThan((red ?? 0) + 20);
    expect(green).toBeGreaterThan(180);
    expect(blue).toBeLessThan(20);
  });

  test('makes transparency white and accepts gray, 16-bit and CMYK pictures', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const transparent = sharp({ create: { width: 50, height: 50, channels: 4, background: clear } });
    expect(
      await readColorAt(findBasePath(await processAcceptedImage(await transparent.png().toBuffer())), 25, 25),
    ).toEqual([255, 255, 255]);
    await processAcceptedImage(await createSolidImage(50, 50).greyscale().png().toBuffer());
    await processAcceptedImage(await createSolidImage(50, 50).toColourspace('rgb16').png().toBuffer());
    await processAcceptedImage(await createSolidImage(50, 50).toColourspace('cmyk').jpeg().toBuffer());
  });
});

describe('accepts what photo viewers display', () => {
  const createJpeg = (options = {}): Promise<Buffer> => createSolidImage(60, 40).jpeg(options).toBuffer();
  const insertBefore = (bytes: Buffer, marker: number, inserted: Buffer): Buffer => {
    const at = bytes.lastIndexOf(Buffer.from([0xff, marker]));
    return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
  };
  /** Returns a JPEG whose scan header states parameters of another kind of JPEG, as some cameras do. */
  const createOddScan = async (): Promise<Buffer> => {
    const bytes = await createJpeg();
    const scan = bytes.indexOf(Buffer.from([0xff, 0xda]));
    bytes[scan + bytes.readUInt16BE(scan + 2)] = 0;
    return bytes;
  };
  test.each<[string, () => Promise<Buffer>]>([
    ['a JPEG without end marker', async () => (await createJpeg()).subarray(0, -2)],
    [
      'a progressive JPEG without end marker',
      async () => (await createJpeg({ progressive: true })).subarray(0, -2),
    ],
    ['bytes after a JPEG', async () => Buffer.concat([await createJpeg(), Buffer.alloc(5000, 7)])],
    [
      'zeros instead of the end marker',
      async () => Buffer.concat([(await createJpeg()).subarray(0, -2), Buffer.alloc(64)]),
    ],
    [
      'bytes between the parts of a JPEG',
      async () => insertBefore(await createJpeg(), 0xda, Buffer.alloc(20, 1)),
    ],
    ['bytes before the end marker', async () => insertBefore(await createJpeg(), 0xd9, Buffer.alloc(20))],
    ['wrong parameters of a scan', createOddScan],
    [
      'bytes after a PNG',
      async () => Buffer.concat([await createSolidImage(60, 40).png().toBuffer(), Buffer.alloc(300)]),
    ],
    ['a PNG without end', async () => (await createSolidImage(60, 40).png().toBuffer()).subarray(0, -12)],
    [
      'bytes after a WebP',
      async () => Buffer.concat([await createSolidImage(60, 40).webp().toBuffer(), Buffer.alloc(300)]),
    ],
  ])('%s', async (_, create) => {
    expect(await processAcceptedImage(await create())).toMatchObject({ width: 60, height: 40 });
  });
});

describe('promise 19: refuses invalid pictures without ending the image process', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
  test.each([
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', Buffer.from(svg)],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ['GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
    ['one byte', Buffer.from([0xff])],
  ])('%s renamed to .jpg', async (_, bytes) => {
    expect(await processUpload(bytes)).toEqual({ refused: 'unsupported' });
  });

  test('AVIF and TIFF, although the image library could decode them', async () => {
    expect(await processUpload(await createSolidImage(20, 20).avif().toBuffer())).toEqual({
      refused: 'unsupported',
    });
    expect(await processUpload(await createSolidImage(20, 20).tiff().toBuffer())).toEqual({
      refused: 'unsupported',
    });
  });

  test('empty, header-only and corrupt files, and truncated ones for that reason', async () => {
    const { pid } = images;
    await processAcceptedImage(await createSolidImage(9, 9).jpeg().toBuffer());
    const before = pid();
    expect(await processUpload(Buffer.alloc(0))).toEqual({ refused: 'damaged' });
    expect(await processUpload(Buffer.from('ffd8ffe000104a46494600', 'hex'))).toEqual({ refused: 'damaged' });
    // Use the same noise in every run, because whether damage is detected depends on the content.
    const pixels = Uint8Array.from({ length: 400 * 400 * 3 }, (_, at) => (at * 7919) ^ ((at >> 5) * 10_473));
    const noise = sharp(pixels, { raw: { width: 400, height: 400, channels: 3 } });
    const [jpeg, png, webp] = [
      await noise.jpeg().toBuffer(),
      await noise.png().toBuffer(),
      await noise.webp().toBuffer(),
    ];
    for (const whole of [jpeg, png, webp]) {
      for (const part of [0.1, 0.5, 0.95]) {
        expect(await processUpload(whole.subarray(0, Math.floor(whole.length * part)))).toEqual({
          refused: 'truncated',
        });
      }
    }
    // WebP is left out: lossy WebP has no redundancy, so damaged bits still decode to some picture.
    for (const whole of [jpeg, png]) {
      const middle = Buffer.from(whole);
      for (let at = 2000; at < middle.length - 200; at += 97) middle[at] = (middle[at] ?? 0) ^ 0xa5;
      expect(await processUpload(middle)).toEqual({ refused: 'damaged' });
    }
    expect(pid()).toBe(before);
  });

  test('more than 50 megapixels according to the header, before decoding', async () => {
    const whole = await createSolidImage(10, 10).png().toBuffer();
    expect(await processUpload(replacePngSize(whole, 10_000, 5_001))).toEqual({ refused: 'too_many_pixels' });
    // The header states exactly the maximum number of pixels, but the pixel data is missing.
    expect(await processUpload(replacePngSize(whole, 10_000, 5_000))).toEqual({ refused: 'damaged' });
  });
});

describe('promise 25: the image queue survives the end of the image process', () => {
  test('fails the image in progress when killed and processes the queued one in a new process', async () => {
    const killable = createTestProcessor({});
    const photo = await createSolidImage(1200, 1200).jpeg().toBuffer();
    expect(await processUpload(photo, 'listing-photo', killable)).toHaveProperty('image');
    const before = killable.pid() ?? 0;
    // Pause the process first, so that it is still processing the first image when it is killed.
    process.kill(before, 'SIGSTOP');
    const both = [
      processUpload(photo, 'listing-photo', killable),
      processUpload(photo, 'listing-photo', killable),
    ];
    await expect.poll(() => killable.load()).toBe(2);
    process.kill(before, 'SIGKILL');
    const results = await Promise.all(both);
    expect(results.filter((result) => 'image' in result)).toHaveLength(1);
    expect(results).toContainEqual({ refused: 'failed' });
    expect(killable.pid()).not.toBe(before);
  });

  test('ends the process and fails the image after the time limit', async () => {
    const limited = createTestProcessor({ timeLimitMs: 1 });
    expect(
      await processUpload(await createSolidImage(1200, 1200).jpeg().toBuffer(), 'listing-photo', limited),
    ).toEqual({
      refused: 'timed_out',
    });
  });

  test('refuses immediately when the queue is full', async () => {
    const short = createTestProcessor({ maxQueuedTasks: 0 });
    expect(
      await processUpload(await createSolidImage(9, 9).jpeg().toBuffer(), 'listing-photo', short),
    ).toEqual({
      refused: 'busy',
    });
  });

  test('ends an idle process and starts another for the next image', async () => {
    const brief = createTestProcessor({ idleLimitMs: 1 });
    const photo = await createSolidImage(9, 9).jpeg().toBuffer();
    expect(await processUpload(photo, 'avatar', brief)).toHaveProperty('image');
    await expect.poll(() => brief.pid()).toBeUndefined();
    expect(await processUpload(photo, 'avatar', brief)).toHaveProperty('image');
  });

  test('starts another process for an image that arrives while an idle process is ending', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const brief = createTestProcessor({});
    const source = join(folder, 'photo.jpg');
    await createSolidImage(9, 9).jpeg().toFile(source);
    const job = { source, folder: await mkdtemp(join(folder, 'out-')), preset: 'avatar' } as const;
    expect(await brief.process(job)).toHaveProperty('image');
    // A paused process ends only when it continues.
    const idle = brief.pid() ?? 0;
    process.kill(idle, 'SIGSTOP');
    vi.runAllTimers();
    const processed = brief.process(job);
    process.kill(idle, 'SIGCONT');
    expect(await processed).toHaveProperty('image');
  });

  test('fails images in progress and queued ones when closed', async () => {
    const closing = createTestProcessor({});
    const photo = await createSolidImage(1200, 1200).jpeg().toBuffer();
    const both = [
      processUpload(photo, 'listing-photo', closing),
      processUpload(photo, 'listing-photo', closing),
    ];
    await expect.poll(() => closing.pid()).toBeGreaterThan(0);
    closing.close();
    for (const result of await Promise.all(both)) expect(result).toEqual({ refused: 'failed' });
  });
});

/** Returns the PNG with another size in its header and a valid header checksum. */
const replacePngSize = (png: Buffer, width: number, height: number): Buffer => {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(width, 16);
  changed.writeUInt32BE(height, 20);
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29);
  return changed;
};
