import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { imagePresetByBucket } from '#server/features/photos/public.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import { makeOwnerOnlyFolder } from '#server/platform/files/owner-only.ts';
import type { ImageProcessor } from '#server/platform/images/images.ts';
import { resolvePicturePath } from './data.ts';
import type { OwnedPhoto, PlannedPhoto } from './plan-listings.ts';

/** A photo whose files are stored, with the values for its database row. */
export interface StoredPhoto extends OwnedPhoto {
  width: number;
  height: number;
  thumbhash: string;
  bytes: number;
}

export interface DemoPhotoTools {
  files: FileStore;
  /**
   * The image processors among which the photos are distributed; each re-encodes one photo at a
   * time.
   */
  images: readonly Pick<ImageProcessor, 'process'>[];
  /** Folder for photos that are being processed; the server deletes files that a crash left in it. */
  uploads: string;
}

/**
 * Re-encodes every demo photo as if it had been uploaded, and stores it in all its sizes. If one
 * photo fails, stops processing the others and throws.
 */
export const storeDemoPhotos = async (
  photos: readonly OwnedPhoto[],
  { files, images, uploads }: DemoPhotoTools,
): Promise<StoredPhoto[]> => {
  const waiting = [...photos];
  const stored: StoredPhoto[] = [];
  // Run two workers per image processor, so that the processor re-encodes one photo while the files
  // of another photo are being written.
  const workers = [...images, ...images].map(async (imageProcess) => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const image = await storePhoto(next, { files, imageProcess, uploads });
      stored.push({ ...next, ...image });
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
  tools: { files: FileStore; imageProcess: Pick<ImageProcessor, 'process'>; uploads: string },
): Promise<Pick<StoredPhoto, 'width' | 'height' | 'thumbhash' | 'bytes'>> => {
  const { files, imageProcess, uploads } = tools;
  const folder = join(uploads, randomUUID());
  await makeOwnerOnlyFolder(folder);
  try {
    const source = resolvePicturePath(picture);
    const result = await imageProcess.process({ source, folder, preset: imagePresetByBucket[bucket] });
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
