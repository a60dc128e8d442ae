import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { photoCopyFormats, photoCopyWidths } from '#contract/photos.ts';
import { createDiskFileStore, type FileStore } from '#server/platform/files/files.ts';
import { imagePresets, listFileSuffixes } from '#server/platform/images/image-presets.ts';
import { createImageProcessor, type ImageProcessor } from '#server/platform/images/images.ts';
import { type DemoPhotoTools, storeDemoPhotos } from './photos.ts';
import { listListingPhotos, type OwnedPhoto, planListings } from './plan-listings.ts';

let testFolder: string;
let files: FileStore;
let imageProcessors: ImageProcessor[];
const createDemoPhotoTools = (): DemoPhotoTools => ({
  files,
  images: imageProcessors,
  uploads: join(testFolder, 'uploads'),
});

beforeAll(async () => {
  testFolder = await mkdtemp(join(tmpdir(), 'quad-demo-photos-'));
  files = createDiskFileStore({ root: join(testFolder, 'files') });
  imageProcessors = [createImageProcessor(), createImageProcessor()];
});
afterAll(async () => {
  for (const imageProcess of imageProcessors) imageProcess.close();
  await rm(testFolder, { recursive: true, force: true });
});

const planPhotos = (photos: readonly string[], id: string): OwnedPhoto[] => {
  const seller = {
    id,
    verified: true,
    email: '',
    fullName: '',
    role: 'Student',
    bio: '',
    phone: '',
  } as const;
  const about = { title: 'Things', description: null, price: 1, condition: null, location: null } as const;
  const listing = {
    ...about,
    seller: 'them',
    contact: 'none',
    daysAgo: 1,
    draft: false,
    rentalPeriod: 'flexible',
  } as const;
  const listings = planListings({
    listings: photos.map((photo) => ({ ...listing, category: 'free', photos: [photo] })),
    people: new Map([['them', seller]]),
    campus: defaultCampus,
    start: new Date('2026-01-01T00:00:00Z'),
  });
  return listListingPhotos(listings);
};

test('every photo is processed once, in every size of an upload, none wider than its name states', async () => {
  const pictures = ['mugs.webp', 'lamp-close.webp', 'tickets.webp', 'bicycle.webp', 'desk.webp'];
  const stored = await storeDemoPhotos(planPhotos(pictures, 'whole'), createDemoPhotoTools());
  expect(stored.map((photo) => photo.picture).sort()).toEqual(pictures.toSorted());
  const [photo] = stored;
  if (!photo) throw new Error('No photo was stored');
  expect(photo.width / photo.height).toBeCloseTo(4 / 3, 2);
  expect(photo.thumbhash).not.toBe('');
  const suffixes = listFileSuffixes(imagePresets['listing-photo']);
  expect(suffixes).toHaveLength(photoCopyWidths.length * photoCopyFormats.length + 1);
  let total = 0;
  for (const suffix of suffixes) {
    const file = await files.read(`${photo.bucket}/${photo.path}${suffix}`);
    if (!file) throw new Error(`'${suffix}' is missing`);
    const about = await sharp(await buffer(await file.open())).metadata();
    const width = Number(/@(\d+)/.exec(suffix)?.[1] ?? photo.width);
    expect(about.width).toBe(Math.min(width, photo.width));
    expect(file.contentType).toBe(about.format === 'heif' ? 'image/avif' : `image/${about.format}`);
    total += file.size;
  }
  expect(photo.bytes).toBe(total);
  expect(await readdir(join(testFolder, 'uploads'))).toEqual([]);
});

test('a photo that cannot be stored fails the seeding and leaves no job running', async () => {
  const full = { ...files, put: () => Promise.reject(new Error('disk full')) };
  const storing = storeDemoPhotos(planPhotos(['mugs.webp', 'lamp.webp', 'rug.webp'], 'full'), {
    ...createDemoPhotoTools(),
    files: full,
  });
  await expect(storing).rejects.toThrow('disk full');
  expect(imageProcessors.map((imageProcess) => imageProcess.load())).toEqual([0, 0]);
  expect(await readdir(join(testFolder, 'uploads'))).toEqual([]);
});

test('a photo that cannot be processed fails the seeding', async () => {
  const storing = storeDemoPhotos(planPhotos(['no-such-picture.webp'], 'missing'), createDemoPhotoTools());
  await expect(storing).rejects.toThrow('demo/pictures/no-such-picture.webp was refused: failed');
});
