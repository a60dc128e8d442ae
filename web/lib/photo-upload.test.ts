import { expect, test } from 'vitest';
import { scaleDownToLimit, toJpegFilename } from './photo-upload.ts';

test.each([
  [4000, 3000, 1600, 1200],
  [3000, 4000, 1200, 1600],
  [1600, 1600, 1600, 1600],
  [1601, 800, 1600, 800],
  [800, 600, 800, 600],
  [1, 1, 1, 1],
  [10_000, 3, 1600, 1],
])('resizes a picture of %i × %i to %i × %i', (width, height, fittedWidth, fittedHeight) => {
  expect(scaleDownToLimit(width, height)).toEqual({ width: fittedWidth, height: fittedHeight });
});

test.each([
  ['desk.png', 'desk.jpg'],
  ['IMG_0001.JPEG', 'IMG_0001.jpg'],
  ['my.old.desk.webp', 'my.old.desk.jpg'],
  ['desk', 'desk.jpg'],
  ['.png', 'photo.jpg'],
])('uploads the file %s under the name %s', (name, sent) => expect(toJpegFilename(name)).toBe(sent));
