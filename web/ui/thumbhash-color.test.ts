import { rgbaToThumbHash, thumbHashToAverageRGBA } from 'thumbhash';
import { expect, test } from 'vitest';
import { thumbhashToColor } from './thumbhash-color.ts';

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes));

test.each([
  [153, 0, 0],
  [255, 204, 0],
  [12, 140, 60],
  [250, 250, 250],
])('returns the same color as the library for a plain rgb(%i %i %i) picture', (r, g, b) => {
  const hash = rgbaToThumbHash(
    4,
    3,
    Uint8Array.from(Array.from({ length: 12 }, () => [r, g, b, 255]).flat()),
  );
  const expected = thumbHashToAverageRGBA(hash);
  const channels = [expected.r, expected.g, expected.b].map((value) => Math.round(value * 255));
  expect(thumbhashToColor(toBase64(hash))).toBe(`rgb(${channels.join(' ')})`);
});

test('returns undefined for an invalid ThumbHash', () => {
  expect(thumbhashToColor(null)).toBeUndefined();
  expect(thumbhashToColor('')).toBeUndefined();
  expect(thumbhashToColor('!!')).toBeUndefined();
  expect(thumbhashToColor('aa')).toBeUndefined();
});
