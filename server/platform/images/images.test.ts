import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { ProcessedImage, RecipeName } from './image-recipes.ts';
import type { Images } from './images.ts';
import { createImages } from './images.ts';

let folder: string;
let images: Images;
const others: Images[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'images-'));
  images = createImages();
});
afterEach(() => {
  for (const other of others.splice(0)) other.close();
});
afterAll(async () => {
  images.close();
  await rm(folder, { recursive: true });
});

const own = (options: Parameters<typeof createImages>[0]): Images => {
  const made = createImages(options);
  others.push(made);
  return made;
};

let count = 0;
const upload = async (bytes: Buffer, recipe: RecipeName = 'listing-photo', by = images) => {
  count += 1;
  const source = join(folder, `upload-${count}.jpg`);
  await writeFile(source, bytes);
  return by.process({ source, folder: await mkdtemp(join(folder, 'out-')), recipe });
};

const accepted = async (bytes: Buffer, recipe?: RecipeName): Promise<ProcessedImage> => {
  const result = await upload(bytes, recipe);
  if ('refused' in result) throw new Error(`refused: ${result.refused}`);
  return result.image;
};

const plain = (width: number, height: number, background = '#336699') =>
  sharp({ create: { width, height, channels: 3, background } });

/** The left half red, the right half blue. */
const redLeftBlueRight = async (width: number, height: number) =>
  plain(width, height, '#ff0000').composite([
    {
      input: await plain(width / 2, height, '#0000ff')
        .png()
        .toBuffer(),
      left: width / 2,
      top: 0,
    },
  ]);

const baseOf = (image: ProcessedImage) => image.files.find((file) => file.suffix === '')?.path ?? '';

const colourAt = async (path: string, left: number, top: number) => {
  const pixel = await sharp(path).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return [...pixel];
};

describe('what becomes of a photo', () => {
  test('every size in every format, none enlarged, the base at most 1600 pixels', async () => {
    const { width, height, thumbhash, files } = await accepted(await plain(2400, 1200).jpeg().toBuffer());
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

  test('a small photo has the same names, none holding more than its own width', async () => {
    const { files } = await accepted(await plain(500, 400).jpeg().toBuffer());
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

  test('an avatar is cut to a square of at most 512 pixels', async () => {
    const large = await accepted(await (await redLeftBlueRight(2000, 1000)).png().toBuffer(), 'avatar');
    expect([large.width, large.height]).toEqual([512, 512]);
    expect(large.files.map((file) => file.suffix)).toContain('@96.webp');
    const small = await accepted(await plain(300, 200).webp().toBuffer(), 'avatar');
    expect([small.width, small.height]).toEqual([200, 200]);
  });

  test('promise 20: GPS and all other metadata is gone, orientation is baked in', async () => {
    // Stored lying on its side: orientation 6 asks for a quarter turn clockwise, so that left becomes top.
    const original = await (await redLeftBlueRight(400, 200))
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

    const image = await accepted(original);
    expect([image.width, image.height]).toEqual([200, 400]);
    const [red, , blue] = await colourAt(baseOf(image), 100, 50);
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

  test('colours of a wide-gamut picture become sRGB', async () => {
    const wide = await plain(64, 64, '#00c000').withIccProfile('p3').jpeg({ quality: 100 }).toBuffer();
    const raw = await sharp(wide, { ignoreIcc: true }).raw().toBuffer();
    const image = await accepted(wide);
    const [red, green, blue] = await colourAt(baseOf(image), 32, 32);
    expect(raw[0]).toBeGreaterThan((red ?? 0) + 20);
    expect(green).toBeGreaterThan(180);
    expect(blue).toBeLessThan(20);
  });

  test('transparency becomes white; grey, 16-bit and CMYK pictures are accepted', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const transparent = sharp({ create: { width: 50, height: 50, channels: 4, background: clear } });
    expect(await colourAt(baseOf(await accepted(await transparent.png().toBuffer())), 25, 25)).toEqual([
      255, 255, 255,
    ]);
    await accepted(await plain(50, 50).greyscale().png().toBuffer());
    await accepted(await plain(50, 50).toColourspace('rgb16').png().toBuffer());
    await accepted(await plain(50, 50).toColourspace('cmyk').jpeg().toBuffer());
  });
});

describe('promise 19: what is not an intact picture is refused and the process lives', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>';
  test.each([
    ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['SVG', Buffer.from(svg)],
    ['PDF', Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ['GIF', Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')],
    ['one byte', Buffer.from([0xff])],
  ])('%s renamed .jpg', async (_, bytes) => {
    expect(await upload(bytes)).toEqual({ refused: 'unsupported' });
  });

  test('AVIF and TIFF, which the library could read, are not among the accepted types', async () => {
    expect(await upload(await plain(20, 20).avif().toBuffer())).toEqual({ refused: 'unsupported' });
    expect(await upload(await plain(20, 20).tiff().toBuffer())).toEqual({ refused: 'unsupported' });
  });

  test('zero bytes, a lone header, truncated, corrupt', async () => {
    const { pid } = images;
    await accepted(await plain(9, 9).jpeg().toBuffer());
    const before = pid();
    expect(await upload(Buffer.alloc(0))).toEqual({ refused: 'damaged' });
    expect(await upload(Buffer.from('ffd8ffe000104a46494600', 'hex'))).toEqual({ refused: 'damaged' });
    // Busy, but the same at each run: whether damage in the middle shows depends on what is there.
    const pixels = Uint8Array.from({ length: 400 * 400 * 3 }, (_, at) => (at * 7919) ^ ((at >> 5) * 10_473));
    const busy = sharp(pixels, { raw: { width: 400, height: 400, channels: 3 } });
    const [jpeg, png, webp] = [
      await busy.jpeg().toBuffer(),
      await busy.png().toBuffer(),
      await busy.webp().toBuffer(),
    ];
    for (const whole of [jpeg, png, webp]) {
      expect(await upload(whole.subarray(0, Math.floor(whole.length / 2)))).toEqual({ refused: 'damaged' });
    }
    // Lossy WebP has no redundancy: any bits inside it are some picture.
    for (const whole of [jpeg, png]) {
      const middle = Buffer.from(whole);
      for (let at = 2000; at < middle.length - 200; at += 97) middle[at] = (middle[at] ?? 0) ^ 0xa5;
      expect(await upload(middle)).toEqual({ refused: 'damaged' });
    }
    expect(pid()).toBe(before);
  });

  test('more than 50 megapixels, by the header, before anything is decoded', async () => {
    const whole = await plain(10, 10).png().toBuffer();
    expect(await upload(withPngSize(whole, 10_000, 5_001))).toEqual({ refused: 'too_many_pixels' });
    // Just allowed by its header, but the pixels are not there.
    expect(await upload(withPngSize(whole, 10_000, 5_000))).toEqual({ refused: 'damaged' });
  });
});

describe('promise 25: the image process may die', () => {
  test('killed in mid-work: that one fails, the one waiting is served by a new process', async () => {
    const watched = own({});
    const photo = await plain(1200, 1200).jpeg().toBuffer();
    expect(await upload(photo, 'listing-photo', watched)).toHaveProperty('image');
    const before = watched.pid() ?? 0;
    // Held still, so that it is killed with the first image surely in hand.
    process.kill(before, 'SIGSTOP');
    const both = [upload(photo, 'listing-photo', watched), upload(photo, 'listing-photo', watched)];
    await expect.poll(() => watched.load()).toBe(2);
    process.kill(before, 'SIGKILL');
    const results = await Promise.all(both);
    expect(results.filter((result) => 'image' in result)).toHaveLength(1);
    expect(results).toContainEqual({ refused: 'failed' });
    expect(watched.pid()).not.toBe(before);
  });

  test('one that takes too long is ended and fails', async () => {
    const hurried = own({ timeLimit: 1 });
    expect(await upload(await plain(1200, 1200).jpeg().toBuffer(), 'listing-photo', hurried)).toEqual({
      refused: 'failed',
    });
  });

  test('a full queue refuses at once', async () => {
    const short = own({ longestQueue: 0 });
    expect(await upload(await plain(9, 9).jpeg().toBuffer(), 'listing-photo', short)).toEqual({
      refused: 'busy',
    });
  });

  test('an idle process ends, the next image starts another', async () => {
    const brief = own({ idleLimit: 1 });
    const photo = await plain(9, 9).jpeg().toBuffer();
    expect(await upload(photo, 'avatar', brief)).toHaveProperty('image');
    await expect.poll(() => brief.pid()).toBeUndefined();
    expect(await upload(photo, 'avatar', brief)).toHaveProperty('image');
  });

  test('closing refuses what is in work and what waits', async () => {
    const closing = own({});
    const photo = await plain(1200, 1200).jpeg().toBuffer();
    const both = [upload(photo, 'listing-photo', closing), upload(photo, 'listing-photo', closing)];
    await expect.poll(() => closing.pid()).toBeGreaterThan(0);
    closing.close();
    for (const result of await Promise.all(both)) expect(result).toEqual({ refused: 'failed' });
  });
});

/** The same PNG with another size in its header, the header's checksum made right. */
const withPngSize = (png: Buffer, width: number, height: number): Buffer => {
  const changed = Buffer.from(png);
  changed.writeUInt32BE(width, 16);
  changed.writeUInt32BE(height, 20);
  changed.writeUInt32BE(crc32(changed.subarray(12, 29)), 29);
  return changed;
};
