import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buildPhotoCopyUrl,
  formatPhotoTooLargeMessage,
  maxAvatarBytes,
  maxPhotoBytes,
  photoCopyFormats,
  photoCopyWidths,
  storageBuckets,
  toPublicFileUrl,
  toRootRelativeUrl,
} from './photos.ts';

const bucketArbitrary = fc.constantFrom(...storageBuckets);
const arbitraryPath = fc.tuple(fc.uuid(), fc.uuid()).map(([user, name]) => `${user}/${name}.jpg`);

test('every absolute form of a file URL is converted back to its root-relative form', () => {
  fc.assert(
    fc.property(
      bucketArbitrary,
      arbitraryPath,
      fc.webUrl({ validSchemes: ['http', 'https'] }),
      (folder, name, site) => {
        const url = toPublicFileUrl(folder, name);
        expect(url).toBe(`/storage/v1/object/public/${folder}/${name}`);
        expect(toRootRelativeUrl(url)).toBe(url);
        expect(toRootRelativeUrl(new URL(url, site).href)).toBe(url);
      },
    ),
  );
});

test('any other text is returned unchanged', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes('/storage/'));
      expect(toRootRelativeUrl(text)).toBe(text);
    }),
  );
});

test('no two resized copies have the same URL', () => {
  const url = toPublicFileUrl('listing-photos', 'a/b.jpg');
  const all = photoCopyWidths.flatMap((width) =>
    photoCopyFormats.map((format) => buildPhotoCopyUrl(url, width, format)),
  );
  expect(new Set(all).size).toBe(photoCopyWidths.length * photoCopyFormats.length);
  expect(buildPhotoCopyUrl(url, 320, 'avif')).toBe(
    '/storage/v1/object/public/listing-photos/a/b.jpg@320.avif',
  );
});

test('photos must be smaller than 10 MB and avatars than 5 MB, and the error message states the size (specification §5)', () => {
  expect([maxPhotoBytes, maxAvatarBytes]).toEqual([10 * 2 ** 20 - 1, 5 * 2 ** 20 - 1]);
  expect(formatPhotoTooLargeMessage(maxPhotoBytes + 1)).toBe('File size must be less than 10MB (10.0MB)');
  expect(formatPhotoTooLargeMessage(12.34 * 2 ** 20)).toBe('File size must be less than 10MB (12.3MB)');
});
