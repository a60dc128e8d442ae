import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { createProblem, errorCatalog, type Problem } from '#contract/errors.ts';
import {
  formatPhotoTooLargeMessage,
  maxAvatarBytes,
  maxPhotoBytes,
  type StorageBucket,
  toPublicFileUrl,
} from '#contract/photos.ts';
import type { App } from '#server/app.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { isStoreUnavailable, removeStaleFiles } from '#server/platform/files/files.ts';
import { makeOwnerOnlyFolder } from '#server/platform/files/owner-only.ts';
import { receiveUpload } from '#server/platform/files/receive-upload.ts';
import type { ImageRefusal, ProcessedImage } from '#server/platform/images/image-presets.ts';
import { isUnavailableError } from '#server/platform/postgres/database.ts';
import {
  buildFileKey,
  buildObjectPath,
  imagePresetByBucket,
  type ObjectName,
  toMessagePhotoId,
} from './object-names.ts';
import { deletePhotoFiles } from './removal.ts';
import * as repository from './repository.ts';
import { runInUploadSlot } from './upload-slots.ts';

export interface PhotoUpload {
  bucket: StorageBucket;
  filename: string;
  content: Readable;
  /**
   * Content-Length of the request in bytes, if the client sent it. It is used in the error message about a
   * file that is too large.
   */
  announced: number | undefined;
  signal: AbortSignal;
  /** Throws when the owner's session ended while the file arrived. */
  assertSession(): Promise<void>;
}

const maxBytesByBucket: Record<StorageBucket, number> = {
  'listing-photos': maxPhotoBytes,
  avatars: maxAvatarBytes,
  'message-photos': maxPhotoBytes,
};

const leftoverUploadAgeSeconds = 3600;

/**
 * Returns the local folder for uploads in progress. It is needed even when finished files are in an S3 store.
 */
const getUploadsFolder = ({ config }: App): string => join(config.dataDir, 'uploads');

const createUnavailableProblem = (): Problem =>
  createProblem('unavailable', { sentence: errorCatalog.photo_unreadable.sentence, retryAfter: 30 });

const toImageProblem = (bucket: StorageBucket, reason: ImageRefusal): Problem => {
  if (reason === 'unsupported') return createProblem(bucket === 'avatars' ? 'avatar_type' : 'photo_type');
  if (reason === 'too_many_pixels') return createProblem('photo_too_many_pixels');
  if (reason === 'damaged') return createProblem('photo_unreadable');
  if (reason === 'truncated') return createProblem('photo_truncated');
  return createUnavailableProblem();
};

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/**
 * Stores the original first, because that reserves the name for all sizes. Two uploads may have
 * the same timestamp and file name; the second one then continues with the next timestamp.
 */
const storeFiles = async (
  app: App,
  userId: string,
  { bucket, filename }: PhotoUpload,
  image: ProcessedImage,
): Promise<ObjectName> => {
  const { files, clock } = app;
  const ordered = image.files.toSorted((a, b) => a.suffix.length - b.suffix.length);
  for (let timestamp = clock.now().getTime(); ; timestamp += 1) {
    const object = { bucket, path: buildObjectPath(bucket, userId, timestamp, filename) };
    let reserved = false;
    try {
      for (const file of ordered) {
        const result = await files.put(buildFileKey(object) + file.suffix, { path: file.path }, file);
        if (result === 'exists' && !reserved) break;
        reserved = true;
      }
    } catch (error) {
      if (reserved) await deletePhotoFiles(app, object);
      throw error;
    }
    if (reserved) return object;
  }
};

const receiveInto = async (
  { uploadTiming: { timeouts } }: App,
  target: string,
  { bucket, content, announced, signal }: PhotoUpload,
): Promise<void> => {
  const limit = maxBytesByBucket[bucket];
  const { bytes, stopped } = await receiveUpload(content, target, { limit, timeouts, signal });
  if (stopped === 'too_large') throw createTooLargeProblem(bucket, Math.max(bytes, announced ?? 0));
  if (stopped === 'too_slow') throw createProblem('request_timeout');
  if (stopped === 'broken_off') throw createProblem('malformed_request');
};

/** Stores the files of a re-encoded picture, and then its row. */
const storeImage = async (
  app: App,
  userId: string,
  upload: PhotoUpload,
  image: ProcessedImage,
): Promise<ObjectName> => {
  const { width, height, thumbhash, files: derived } = image;
  const bytes = derived.reduce((sum, file) => sum + file.bytes, 0);
  const object = await storeFiles(app, userId, upload, image);
  try {
    const created_at = app.clock.now();
    const row = { ...object, owner_id: userId, width, height, thumbhash, bytes, created_at };
    await repository.insertObject(app.sql, row);
  } catch (error) {
    // If the database connection was lost, the row may have been written nevertheless, so the
    // files stay. Files without a row are removed later as orphans, but a row without its files
    // would remain a broken photo.
    if (!isUnavailableError(error)) await deletePhotoFiles(app, object);
    throw error;
  }
  return object;
};

const storeUpload = async (app: App, userId: string, upload: PhotoUpload): Promise<ObjectName> => {
  const { bucket } = upload;
  const folder = join(getUploadsFolder(app), randomUUID());
  try {
    await makeOwnerOnlyFolder(folder);
    const source = join(folder, 'source');
    await receiveInto(app, source, upload);
    await upload.assertSession();
    const result = await app.images.process({ source, folder, preset: imagePresetByBucket[bucket] });
    if ('refused' in result) throw toImageProblem(bucket, result.refused);
    return await storeImage(app, userId, upload, result.image);
  } catch (error) {
    throw isDiskFull(error) || isStoreUnavailable(error) ? createUnavailableProblem() : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

/** Returns the maximum size of a file in this bucket, in bytes. */
export const getMaxUploadBytes = (bucket: StorageBucket): number => maxBytesByBucket[bucket];

/** Returns the error for a file of this size in bytes, which is too large for its bucket. */
export const createTooLargeProblem = (bucket: StorageBucket, bytes: number): Problem =>
  bucket === 'avatars'
    ? createProblem('avatar_too_large')
    : createProblem('photo_too_large', { sentence: formatPhotoTooLargeMessage(bytes) });

/**
 * Re-encodes and stores a picture; resolves when its files and its row are stored. Returns its public URL, or the id of a
 * photo for a message.
 */
export const uploadPhoto = async (
  app: App,
  userId: string,
  upload: PhotoUpload,
): Promise<{ path: string; publicUrl: string } | { id: string }> => {
  const { bucket, path } = await runInUploadSlot(app, userId, () => storeUpload(app, userId, upload));
  if (bucket === 'message-photos') return { id: toMessagePhotoId(path) };
  return { path, publicUrl: toPublicFileUrl(bucket, path) };
};

/** Removes temporary files of uploads that a crash interrupted. It runs at start and every hour. */
export const removeUploadLeftovers = async (app: App): Promise<void> => {
  const before = addSeconds(app.clock.now(), -leftoverUploadAgeSeconds);
  await removeStaleFiles(getUploadsFolder(app), before);
  await app.files.removeUnfinished(before);
};
