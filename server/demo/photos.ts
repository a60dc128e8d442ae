import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from '#server/platform/files/files.ts';
import { makeOwnerOnlyFolder } from '#server/platform/files/owner-only.ts';
import type { Images } from '#server/platform/images/images.ts';
import { picturePath } from './data.ts';
import type { PlannedListing, PlannedPhoto } from './plan-listings.ts';

/** A photo whose files are stored, with the values of its row. */
export interface StoredPhoto extends PlannedPhoto {
  ownerId: string;
  width: number;
  height: number;
  thumbhash: string;
  bytes: number;
  createdAt: Date;
}

export interface PhotoTools {
  files: Files;
  /** Image processes that share the work; each processes one photo at a time. */
  images: readonly Pick<Images, 'process'>[];
  /** Folder for photos that are being processed; the server deletes files that a crash left in it. */
  uploads: string;
}

/** Processes every photo like an upload and stores all its sizes. When one fails, stops all processing and throws. */
export const storePhotos = async (
  listings: readonly PlannedListing[],
  { files, images, uploads }: PhotoTools,
): Promise<StoredPhoto[]> => {
  const waiting = listings.flatMap((listing) => listing.photos.map((photo) => ({ listing, photo })));
  const stored: StoredPhoto[] = [];
  // Two workers per image process: it processes one photo while the files of another are written.
  const workers = [...images, ...images].map(async (imageProcess) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { seller, createdAt } = next.listing;
      const image = await storePhoto(next.photo, { files, imageProcess, uploads });
      stored.push({ ...next.photo, ...image, ownerId: seller.id, createdAt });
    }
  });
  try {
    await Promise.all(workers);
  } catch (error) {
    waiting.length = 0;
    await Promise.allSettled(workers);
    throw error;
  }
  return stored;
};

const storePhoto = async (
  { picture, bucket, path }: PlannedPhoto,
  tools: { files: Files; imageProcess: Pick<Images, 'process'>; uploads: string },
): Promise<Pick<StoredPhoto, 'width' | 'height' | 'thumbhash' | 'bytes'>> => {
  const { files, imageProcess, uploads } = tools;
  const folder = join(uploads, randomUUID());
  await makeOwnerOnlyFolder(folder);
  try {
    const source = picturePath(picture);
    const result = await imageProcess.process({ source, folder, recipe: 'listing-photo' });
    if ('refused' in result) throw new Error(`demo/pictures/${picture} was refused: ${result.refused}`);
    const { width, height, thumbhash, files: sizes } = result.image;
    await Promise.all(
      sizes.map((size) => files.put(`${bucket}/${path}${size.suffix}`, { path: size.path }, size)),
    );
    return { width, height, thumbhash, bytes: sizes.reduce((sum, size) => sum + size.bytes, 0) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
