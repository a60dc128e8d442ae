import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { maxPhotoSidePixels } from '#contract/photos.ts';
import { readConfig } from '#server/config.ts';
import { readPhoneNumber } from '#server/phone-numbers.ts';
import { readDemoData, resolvePicturePath } from './data.ts';
import { readDemoCourses } from './demo-books.ts';

const pictureFolder = dirname(resolvePicturePath('x.webp'));

test('every photo belongs to exactly one listing', async () => {
  const { listings } = await readDemoData(defaultCampus);
  const shown = listings.flatMap((listing) => listing.photos);
  expect(shown.toSorted()).toEqual((await readdir(pictureFolder)).toSorted());
});

test('photos are small 4:3 WebP files without metadata, below 4 MB in total', async () => {
  let total = 0;
  for (const name of await readdir(pictureFolder)) {
    const path = join(pictureFolder, name);
    const { format, width, height, exif, icc, xmp } = await sharp(path).metadata();
    expect([format, width * 3, exif ?? icc ?? xmp], name).toEqual(['webp', height * 4, undefined]);
    expect(width, name).toBeLessThanOrEqual(maxPhotoSidePixels);
    total += (await stat(path)).size;
  }
  expect(total).toBeLessThan(4 * 1024 * 1024);
});

test('every email address has the prefix by which the demo campus is recognized when it is removed', async () => {
  const { people } = await readDemoData(defaultCampus);
  for (const { email } of people.values()) expect(email).toMatch(/^demo\.[a-z]+@/);
});

test('titles are unique, since conversations refer to them', async () => {
  const { listings } = await readDemoData(defaultCampus);
  const titles = listings.map((listing) => listing.title);
  expect(titles).toHaveLength(new Set(titles).size);
});

test('every text uses the names of the configured campus', async () => {
  const campus = { ...defaultCampus, shortName: 'EXU', domain: 'example.edu', mascot: 'Heron' };
  const { people, listings, conversations } = await readDemoData(campus);
  const text = JSON.stringify([
    ...people.values(),
    ...listings.map(({ category, ...rest }) => rest),
    conversations,
  ]);
  expect(text).toContain('Heron');
  expect(text).toContain('EXU');
  expect(text).not.toMatch(/trojan|\busc\b|[{]\w+[}]/i);
});

/** Screens are measured in inches everywhere, and lamps and grills stand on a foot. */
const withoutHarmless = (text: string): string =>
  text.replace(/\d+ inch (?:laptop|monitor)|heavy foot/gi, '');

const americanMeasures =
  /\b(?:feet|foot|inch(?:es)?|yards?|miles?|pounds?|lbs?|ounces?|gallons?|quarts?|dollars?|bucks|cents)\b|°\s?F|\d\s?ft\b/i;

const americanLife = /\b(?:homecoming|college|fraternity|(?:in the|last) fall)\b/i;

test.each([
  [
    'germany',
    /\b(?:Fall|this spring|Winter terms)\b|\$|€\s?\d|\(213\)|28th Street|Boulevard|Figueroa|Jefferson|Joshua Tree|\b(?:Maya|Jordan)\b/,
  ],
  [
    'japan',
    /\$|[￥¥]\d*\.\d|\(213\)|28th Street|Boulevard|Figueroa|Jefferson|Joshua Tree|\b(?:Maya|Jordan|Tom|Nina)\b/,
  ],
])(
  'the demo campus of %s has its own people, places, terms, measures, prices and phone numbers',
  async (name, foreign) => {
    const { campus, demoTexts } = readConfig({ QUAD_CAMPUS: `demo/campuses/${name}.json` });
    const { people, ...data } = await readDemoData(campus, demoTexts);
    const texts = JSON.stringify([...people.values(), data, await readDemoCourses(demoTexts)]);
    expect(texts.match(foreign)).toBeNull();
    expect(withoutHarmless(texts).match(americanMeasures)).toBeNull();
    expect(texts.replaceAll('homecoming-tickets.webp', '').match(americanLife)).toBeNull();
    for (const { phone } of people.values()) expect(readPhoneNumber(campus.country, phone)).toBe(phone);
    const original = await readDemoData(defaultCampus);
    const replaced = JSON.stringify([
      ...original.people.values(),
      { ...original, people: null },
      await readDemoCourses(),
    ]);
    for (const text of Object.keys(demoTexts)) expect(replaced).toContain(text);
  },
);
