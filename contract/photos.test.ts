import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  buckets,
  maxAvatarBytes,
  maxPhotoBytes,
  photoCopyUrl,
  photoFormats,
  photoTooLargeSentence,
  photoWidths,
  publicUrl,
  toRootRelativeUrl,
} from './photos.ts';

const bucket = fc.constantFrom(...buckets);
const path = fc.tuple(fc.uuid(), fc.uuid()).map(([user, name]) => `${user}/${name}.jpg`);

test('the URL of a file is found again in every absolute form of it', () => {
  fc.assert(
    fc.property(bucket, path, fc.webUrl({ validSchemes: ['http', 'https'] }), (folder, name, site) => {
      const url = publicUrl(folder, name);
      expect(url).toBe(`/storage/v1/object/public/${folder}/${name}`);
      expect(toRootRelativeUrl(url)).toBe(url);
      expect(toRootRelativeUrl(new URL(url, site).href)).toBe(url);
    }),
  );
});

test('any other text stays as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes('/storage/'));
      expect(toRootRelativeUrl(text)).toBe(text);
    }),
  );
});

test('no two derived sizes share a URL', () => {
  const url = publicUrl('listing-photos', 'a/b.jpg');
  const all = photoWidths.flatMap((width) => photoFormats.map((format) => photoCopyUrl(url, width, format)));
  expect(new Set(all).size).toBe(photoWidths.length * photoFormats.length);
  expect(photoCopyUrl(url, 320, 'avif')).toBe('/storage/v1/object/public/listing-photos/a/b.jpg@320.avif');
});

test('files are smaller than 10 and 5 MB, and a larger one is refused with its size (§5)', () => {
  expect([maxPhotoBytes, maxAvatarBytes]).toEqual([10 * 2 ** 20 - 1, 5 * 2 ** 20 - 1]);
  expect(photoTooLargeSentence(maxPhotoBytes + 1)).toBe('File size must be less than 10MB (10.0MB)');
  expect(photoTooLargeSentence(12.34 * 2 ** 20)).toBe('File size must be less than 10MB (12.3MB)');
});
