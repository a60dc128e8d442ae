import sharp from 'sharp';
import { expect, test } from 'vitest';
import { photoFormats, photoWidths } from '#contract/photos.ts';
import { allSuffixes, recipes } from '#server/platform/image-recipes.ts';
import { DRAWINGS, type DrawingName } from './catalogue.ts';
import { pictureSvg } from './picture.ts';
import { printPicture } from './print.ts';

const names = Object.keys(DRAWINGS) as DrawingName[];

test.each(names)(
  'a picture of %s is the same each time, without gaps in its numbers or references',
  (drawing) => {
    for (const close of [false, true]) {
      const svg = pictureSvg({ drawing, seed: 5, close }, 320);
      expect(svg).toBe(pictureSvg({ drawing, seed: 5, close }, 320));
      expect(svg).not.toBe(pictureSvg({ drawing, seed: 6, close }, 320));
      expect(svg).not.toMatch(/NaN|undefined|<text/);
      const defined = new Set([...svg.matchAll(/ id="(\w+)"/g)].map((match) => match[1]));
      for (const [, reference] of svg.matchAll(/url\(#(\w+)\)/g)) expect(defined).toContain(reference);
    }
  },
);

test('a print has every file of an uploaded photo, readable, none larger than its name says', async () => {
  const print = await printPicture({ drawing: 'bicycle', seed: 1, close: false });
  expect(print.files.map((file) => file.suffix).sort()).toEqual(allSuffixes(recipes['listing-photo']).sort());
  expect(print.files).toHaveLength(photoWidths.length * photoFormats.length + 1);
  expect(print.width / print.height).toBeCloseTo(4 / 3, 2);
  for (const { suffix, bytes, contentType } of print.files) {
    const about = await sharp(bytes).metadata();
    const width = Number(/@(\d+)/.exec(suffix)?.[1] ?? print.width);
    expect(about.width).toBe(Math.min(width, print.width));
    expect(contentType).toBe(about.format === 'heif' ? 'image/avif' : `image/${about.format}`);
  }
});
