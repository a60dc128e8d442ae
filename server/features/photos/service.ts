import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createProblem, errorCatalog, type Problem } from '#contract/errors.ts';
import {
  formatPhotoTooLargeMessage,
  maxAvatarBytes,
  maxPhotoBytes,
  type StorageBucket,
  toPublicFileUrl,
} from '#contract/photos.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import {
  type FileStore,
  isStoreUnavailable,
  removeStaleFiles,
  type StoredFile,
} from '#server/platform/files/files.ts';
import { makeOwnerOnlyFolder } from '#server/platform/files/owner-only.ts';
import { receiveUpload, type UploadTimeouts } from '#server/platform/files/receive-upload.ts';
import type { ImageRefusal, ProcessedImage } from '#server/platform/images/image-presets.ts';
import type { ImageProcessor } from '#server/platform/images/images.ts';
import { isUnavailableError, type Queryable, type Sql } from '#server/platform/postgres/database.ts';
import { createHiddenPhotos } from './hidden-photos.ts';
import {
  buildFileKey,
  buildObjectPath,
  imagePresetByBucket,
  isDerivedPath,
  listFileKeys,
  type ObjectName,
  parseObjectUrl,
} from './object-names.ts';
import { removeOrphans } from './orphans.ts';
import { asCallerOwnedObject, canViewHiddenPhoto, type PhotoViewer } from './policy.ts';
import * as repository from './repository.ts';
import { runInUploadSlot } from './upload-slots.ts';

export interface PhotoDeps {
  sql: Sql;
  files: FileStore;
  images: ImageProcessor;
  clock: Clock;
  bus: Pick<Bus, 'subscribe'>;
  /** Local folder for uploads in progress. It is needed even when finished files are in an S3 store. */
  uploads: string;
  timeouts?: UploadTimeouts;
  /** How often the slot of an upload in progress is renewed, in ms; tests pass another value. */
  slotRenewalMs?: number;
}

export interface PhotoUpload {
  bucket: StorageBucket;
  filename: string;
  content: Readable;
  /**
   * Content-Length of the request in bytes, if the client sent it. It is used in the error message about a
   * file that is too large.
   */
  announced: number | undefined;
  /** A signal that aborts the upload. */
  signal: AbortSignal;
  /** Throws when the owner's session ended while the file arrived. */
  assertSession(): Promise<void>;
}

export type PhotoService = ReturnType<typeof createPhotoService>;

const maxBytesByBucket: Record<StorageBucket, number> = {
  'listing-photos': maxPhotoBytes,
  avatars: maxAvatarBytes,
};

const leftoverUploadAgeSeconds = 3600;

const createUnavailableProblem = (): Problem =>
  createProblem('unavailable', { sentence: errorCatalog.photo_unreadable.sentence, retryAfter: 30 });

const toTooLargeProblem = (bucket: StorageBucket, bytes: number): Problem =>
  bucket === 'avatars'
    ? createProblem('avatar_too_large')
    : createProblem('photo_too_large', { sentence: formatPhotoTooLargeMessage(bytes) });

const toImageProblem = (bucket: StorageBucket, reason: ImageRefusal): Problem => {
  if (reason === 'unsupported') return createProblem(bucket === 'avatars' ? 'avatar_type' : 'photo_type');
  if (reason === 'too_many_pixels') return createProblem('photo_too_many_pixels');
  if (reason === 'damaged') return createProblem('photo_unreadable');
  return createUnavailableProblem();
};

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/** Creates the service that receives, re-encodes, stores, serves and removes photos and avatars. */
export const createPhotoService = (deps: PhotoDeps) => {
  const { sql, files, images, clock, uploads, timeouts = { idle: 15_000, total: 55_000 } } = deps;

  const hiddenPhotos = createHiddenPhotos(deps);

  const deleteFiles = async (object: ObjectName): Promise<void> => {
    for (const { key } of listFileKeys(object)) await files.delete(key);
  };

  /**
   * Stores the original first, because that reserves the name for all sizes. Two uploads may have
   * the same timestamp and file name; the second one then continues with the next timestamp.
   */
  const storeFiles = async (userId: string, { bucket, filename }: PhotoUpload, image: ProcessedImage) => {
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
        if (reserved) await deleteFiles(object);
        throw error;
      }
      if (reserved) return object;
    }
  };

  const receiveInto = async (target: string, { bucket, content, announced, signal }: PhotoUpload) => {
    const limit = maxBytesByBucket[bucket];
    const { bytes, stopped } = await receiveUpload(content, target, { limit, timeouts, signal });
    if (stopped === 'too_large') throw toTooLargeProblem(bucket, Math.max(bytes, announced ?? 0));
    if (stopped === 'too_slow') throw createProblem('request_timeout');
    if (stopped === 'broken_off') throw createProblem('malformed_request');
  };

  const store = async (userId: string, upload: PhotoUpload): Promise<ObjectName> => {
    const { bucket } = upload;
    const folder = join(uploads, randomUUID());
    try {
      await makeOwnerOnlyFolder(folder);
      const source = join(folder, 'source');
      await receiveInto(source, upload);
      await upload.assertSession();
      const result = await images.process({ source, folder, preset: imagePresetByBucket[bucket] });
      if ('refused' in result) throw toImageProblem(bucket, result.refused);

      const { width, height, thumbhash, files: derived } = result.image;
      const bytes = derived.reduce((sum, file) => sum + file.bytes, 0);
      const object = await storeFiles(userId, upload, result.image);
      try {
        const row = { ...object, owner_id: userId, width, height, thumbhash, bytes, created_at: clock.now() };
        await repository.insertObject(sql, row);
      } catch (error) {
        // If the database connection was lost, the row may have been written nevertheless, so the
        // files stay. Files without a row are removed later as orphans, but a row without its files
        // would remain a broken photo.
        if (!isUnavailableError(error)) await deleteFiles(object);
        throw error;
      }
      return object;
    } catch (error) {
      throw isDiskFull(error) || isStoreUnavailable(error) ? createUnavailableProblem() : error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  return {
    timeouts,

    /** Returns the maximum size of a file in this bucket, in bytes. */
    limitOf: (bucket: StorageBucket): number => maxBytesByBucket[bucket],

    /**
     * Returns the error for a file that is too large for its bucket. The arguments are the bucket and the
     * size of the file in bytes.
     */
    tooLarge: toTooLargeProblem,

    /** Re-encodes and stores a picture; resolves when its files and its row are stored. */
    async upload(userId: string, upload: PhotoUpload): Promise<{ path: string; publicUrl: string }> {
      const slots = { sql, clock, renewalMs: deps.slotRenewalMs };
      const { bucket, path } = await runInUploadSlot(slots, userId, () => store(userId, upload));
      return { path, publicUrl: toPublicFileUrl(bucket, path) };
    },

    /** Subscribes to the bus, to learn which photos are hidden from the public. Returns an unsubscribe function. */
    listen: hiddenPhotos.follow,

    /** Reads which photos are hidden from the public. Without this call, the first request for a photo reads it. */
    prepare: hiddenPhotos.prepare,

    /**
     * Opens the stored original or a resized copy. Returns undefined when it does not exist, or when it is hidden from the
     * public and the viewer is neither its owner nor a moderator.
     */
    async find(
      object: ObjectName,
      findViewer: () => Promise<PhotoViewer | undefined>,
    ): Promise<(StoredFile & { derived: boolean; hidden: boolean }) | undefined> {
      const hidden = await hiddenPhotos.has(object);
      if (hidden && !canViewHiddenPhoto(object, await findViewer())) return undefined;
      const file = await files.read(buildFileKey(object));
      return file && { ...file, derived: isDerivedPath(object.path), hidden };
    },

    /** Returns the stored original of a photo or avatar, or undefined when it was deleted. */
    async readOriginal(url: string): Promise<Uint8Array | undefined> {
      const object = parseObjectUrl(url);
      const file = object && (await files.read(buildFileKey(object)));
      return file && buffer(await file.open());
    },

    /** Removes one of the caller's own objects, unless a listing or the profile still uses it. */
    async remove(userId: string, object: ObjectName): Promise<void> {
      await sql.begin(async (transaction) => {
        const found = asCallerOwnedObject(await repository.findObjectForRemoval(transaction, object), userId);
        if (!found) throw createProblem('object_not_found');
        if (await repository.isObjectInUse(transaction, found)) throw createProblem('photo_in_use');
        await repository.deleteObject(transaction, found);
      });
      await deleteFiles(object);
    },

    /**
     * Removes the objects with these URLs, except those still in use. The call can be repeated after an
     * interruption.
     */
    async deleteObjects(urls: readonly string[]): Promise<void> {
      for (const object of urls.map(parseObjectUrl)) {
        if (!object) continue;
        const isInUse = await sql.begin(async (transaction) => {
          const found = await repository.findObjectForRemoval(transaction, object);
          if (!found) return false;
          if (await repository.isObjectInUse(transaction, found)) return true;
          await repository.deleteObject(transaction, found);
          return false;
        });
        if (!isInUse) await deleteFiles(object);
      }
    },

    /**
     * Returns which of these URLs are the person's own objects in the bucket. When `within` is a transaction, these
     * objects cannot be removed before it ends.
     */
    listOwned: (userId: string, bucket: StorageBucket, urls: readonly string[], within: Queryable = sql) =>
      repository.listOwnedUrls(within, userId, bucket, urls),

    /** Removes temporary files of uploads that a crash interrupted. It runs at start and every hour. */
    async removeLeftovers(): Promise<void> {
      const before = addSeconds(clock.now(), -leftoverUploadAgeSeconds);
      await removeStaleFiles(uploads, before);
      await files.removeUnfinished(before);
    },

    /** Removes uploads that nothing has used for a day. */
    removeOrphans: (): Promise<void> => removeOrphans({ sql, files, clock, deleteFiles }),
  };
};
