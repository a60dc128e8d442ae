import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  avatarBytes,
  buckets,
  fromRoot,
  photoBytes,
  photoFormats,
  photoTooLarge,
  photoWidths,
  publicUrl,
  variantUrl,
} from './photos.ts';

const bucket = fc.constantFrom(...buckets);
const path = fc.tuple(fc.uuid(), fc.uuid()).map(([user, name]) => `${user}/${name}.jpg`);

test('the URL of a file is found again in every absolute form of it', () => {
  fc.assert(
    fc.property(bucket, path, fc.webUrl({ validSchemes: ['http', 'https'] }), (folder, name, site) => {
      const url = publicUrl(folder, name);
      expect(url).toBe(`/storage/v1/object/public/${folder}/${name}`);
      expect(fromRoot(url)).toBe(url);
      expect(fromRoot(new URL(url, site).href)).toBe(url);
    }),
  );
});

test('any other text stays as it is', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!text.includes('/storage/'));
      expect(fromRoot(text)).toBe(text);
    }),
  );
});

test('no two derived sizes share a URL', () => {
  const url = publicUrl('listing-photos', 'a/b.jpg');
  const all = photoWidths.flatMap((width) => photoFormats.map((format) => variantUrl(url, width, format)));
  expect(new Set(all).size).toBe(photoWidths.length * photoFormats.length);
  expect(variantUrl(url, 320, 'avif')).toBe('/storage/v1/object/public/listing-photos/a/b.jpg@320.avif');
});

test('files are smaller than 10 and 5 MB, and a larger one is refused with its size (§5)', () => {
  expect([photoBytes, avatarBytes]).toEqual([10 * 2 ** 20 - 1, 5 * 2 ** 20 - 1]);
  expect(photoTooLarge(photoBytes + 1)).toBe('File size must be less than 10MB (10.0MB)');
  expect(photoTooLarge(12.34 * 2 ** 20)).toBe('File size must be less than 10MB (12.3MB)');
});
