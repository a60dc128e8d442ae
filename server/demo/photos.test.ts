import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { photoFormats, photoWidths } from '#contract/photos.ts';
import { createDiskFiles, type Files } from '#server/platform/files/files.ts';
import { listSuffixes, recipes } from '#server/platform/images/image-recipes.ts';
import { createImages, type Images } from '#server/platform/images/images.ts';
import { type PhotoTools, storePhotos } from './photos.ts';
import { type PlannedListing, planListings } from './plan-listings.ts';

let folder: string;
let files: Files;
let images: Images[];
const createPhotoTools = (): PhotoTools => ({ files, images, uploads: join(folder, 'uploads') });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quad-demo-photos-'));
  files = createDiskFiles({ root: join(folder, 'files') });
  images = [createImages(), createImages()];
});
afterAll(async () => {
  for (const imageProcess of images) imageProcess.close();
  await rm(folder, { recursive: true, force: true });
});

const planListingsWithPhotos = (photos: readonly string[], id: string): PlannedListing[] => {
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
  const listing = { ...about, seller: 'them', contact: 'none', daysAgo: 1, draft: false } as const;
  return planListings({
    listings: photos.map((photo) => ({ ...listing, category: 'free', photos: [photo] })),
    people: new Map([['them', seller]]),
    campus: defaultCampus,
    start: new Date('2026-01-01T00:00:00Z'),
  });
};

test('every photo is processed once, in every size of an upload, none wider than its name states', async () => {
  const pictures = ['mugs.webp', 'lamp-close.webp', 'tickets.webp', 'bicycle.webp', 'desk.webp'];
  const stored = await storePhotos(planListingsWithPhotos(pictures, 'whole'), createPhotoTools());
  expect(stored.map((photo) => photo.picture).sort()).toEqual(pictures.toSorted());
  const [photo] = stored;
  if (!photo) throw new Error('No photo was stored');
  expect(photo.width / photo.height).toBeCloseTo(4 / 3, 2);
  expect(photo.thumbhash).not.toBe('');
  const suffixes = listSuffixes(recipes['listing-photo']);
  expect(suffixes).toHaveLength(photoWidths.length * photoFormats.length + 1);
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
  expect(await readdir(join(folder, 'uploads'))).toEqual([]);
});

test('a photo that cannot be stored fails the seeding and leaves no job running', async () => {
  const full = { ...files, put: () => Promise.reject(new Error('disk full')) };
  const storing = storePhotos(planListingsWithPhotos(['mugs.webp', 'lamp.webp', 'rug.webp'], 'full'), {
    ...createPhotoTools(),
    files: full,
  });
  await expect(storing).rejects.toThrow('disk full');
  expect(images.map((imageProcess) => imageProcess.load())).toEqual([0, 0]);
  expect(await readdir(join(folder, 'uploads'))).toEqual([]);
});

test('a photo that cannot be processed fails the seeding', async () => {
  const storing = storePhotos(
    planListingsWithPhotos(['no-such-picture.webp'], 'missing'),
    createPhotoTools(),
  );
  await expect(storing).rejects.toThrow('demo/pictures/no-such-picture.webp was refused: failed');
});
