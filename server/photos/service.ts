import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCatalogue, type Problem, problem } from '#contract/errors.ts';
import {
  type Bucket,
  maxAvatarBytes,
  maxPhotoBytes,
  photoTooLargeSentence,
  publicUrl,
} from '#contract/photos.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import {
  type Files,
  isStoreUnavailable,
  removeLeftovers,
  type StoredFile,
} from '#server/platform/files/files.ts';
import { makeOwnerOnlyFolder } from '#server/platform/files/owner-only.ts';
import { receiveUpload, type UploadTimeouts } from '#server/platform/files/receive-upload.ts';
import type { ImageRefusal, ProcessedImage } from '#server/platform/images/image-recipes.ts';
import type { Images } from '#server/platform/images/images.ts';
import { isUnavailable, type Queryable, type Sql } from '#server/platform/postgres/database.ts';
import { fileKey, fileKeys, isDerived, type ObjectName, objectOfUrl, objectPath, recipeOf } from './names.ts';
import { removeOrphans } from './orphans.ts';
import { asOwner } from './policy.ts';
import * as repository from './repository.ts';
import { acquireSlot, releaseSlot } from './repository.ts';

export interface PhotoDeps {
  sql: Sql;
  files: Files;
  images: Images;
  clock: Clock;
  /** Local folder for uploads in progress, used wherever the files are stored. */
  uploads: string;
  timeouts?: UploadTimeouts;
}

export interface Upload {
  bucket: Bucket;
  filename: string;
  content: Readable;
  /** Content-Length of the request in bytes, if sent; used in the error message about a file that is too large. */
  announced: number | undefined;
  /** Aborts the upload. */
  signal: AbortSignal;
}

export type PhotoService = ReturnType<typeof createPhotoService>;

const maxBytes: Record<Bucket, number> = { 'listing-photos': maxPhotoBytes, avatars: maxAvatarBytes };

/** Maximum number of concurrent uploads per person, in all processes together. */
const maxConcurrentUploads = 4;
/** Lease of an upload slot, after which the slot is free even if its process has crashed. */
const leaseSeconds = 120;
const leftoverAgeSeconds = 3600;

const toUnavailableProblem = (): Problem =>
  problem('unavailable', { sentence: errorCatalogue.photo_unreadable.sentence, retryAfter: 30 });

const tooLarge = (bucket: Bucket, bytes: number): Problem =>
  bucket === 'avatars'
    ? problem('avatar_too_large')
    : problem('photo_too_large', { sentence: photoTooLargeSentence(bytes) });

const toImageProblem = (bucket: Bucket, reason: ImageRefusal): Problem => {
  if (reason === 'unsupported') return problem(bucket === 'avatars' ? 'avatar_type' : 'photo_type');
  if (reason === 'too_many_pixels') return problem('photo_too_many_pixels');
  if (reason === 'damaged') return problem('photo_unreadable');
  return toUnavailableProblem();
};

const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

/** Creates the service that receives, re-encodes, stores, serves and removes photos and avatars. */
export const createPhotoService = (deps: PhotoDeps) => {
  const { sql, files, images, clock, uploads, timeouts = { idle: 15_000, total: 55_000 } } = deps;

  const deleteFiles = async (object: ObjectName): Promise<void> => {
    for (const { key } of fileKeys(object)) await files.delete(key);
  };

  /** Stores the original first, because its name must be new: two uploads may have the same timestamp and name. */
  const storeFiles = async (userId: string, { bucket, filename }: Upload, image: ProcessedImage) => {
    const ordered = image.files.toSorted((a, b) => a.suffix.length - b.suffix.length);
    for (let timestamp = clock.now().getTime(); ; timestamp += 1) {
      const object = { bucket, path: objectPath(bucket, userId, timestamp, filename) };
      let reserved = false;
      try {
        for (const file of ordered) {
          const result = await files.put(fileKey(object) + file.suffix, { path: file.path }, file);
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

  const receiveInto = async (target: string, { bucket, content, announced, signal }: Upload) => {
    const limit = maxBytes[bucket];
    const { bytes, stopped } = await receiveUpload(content, target, { limit, timeouts, signal });
    if (stopped === 'too_large') throw tooLarge(bucket, Math.max(bytes, announced ?? 0));
    if (stopped === 'too_slow') throw problem('request_timeout');
    if (stopped === 'broken_off') throw problem('malformed_request');
  };

  const store = async (userId: string, upload: Upload): Promise<ObjectName> => {
    const { bucket } = upload;
    const folder = join(uploads, randomUUID());
    try {
      await makeOwnerOnlyFolder(folder);
      const source = join(folder, 'source');
      await receiveInto(source, upload);
      const result = await images.process({ source, folder, recipe: recipeOf[bucket] });
      if ('refused' in result) throw toImageProblem(bucket, result.refused);

      const { width, height, thumbhash, files: derived } = result.image;
      const bytes = derived.reduce((sum, file) => sum + file.bytes, 0);
      const object = await storeFiles(userId, upload, result.image);
      try {
        const row = { ...object, owner_id: userId, width, height, thumbhash, bytes, created_at: clock.now() };
        await repository.insertObject(sql, row);
      } catch (error) {
        // If the database connection was lost, the row may have been written, so the files stay: files without a row
        // are removed later as orphans, while a row without its files would stay broken.
        if (!isUnavailable(error)) await deleteFiles(object);
        throw error;
      }
      return object;
    } catch (error) {
      throw isDiskFull(error) || isStoreUnavailable(error) ? toUnavailableProblem() : error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };

  return {
    timeouts,

    /** Returns the maximum size of a file in this bucket, in bytes. */
    limitOf: (bucket: Bucket): number => maxBytes[bucket],

    /** Returns the error for a file of this size in bytes. */
    tooLarge,

    /** Re-encodes and stores a picture; resolves when its files and its row are stored. */
    async upload(userId: string, upload: Upload): Promise<{ path: string; publicUrl: string }> {
      const now = clock.now();
      const until = secondsAfter(now, leaseSeconds);
      const slot = await acquireSlot(sql, { userId, slots: maxConcurrentUploads, now, until });
      if (!slot) throw problem('uploads_busy', { retryAfter: 5 });
      try {
        const { bucket, path } = await store(userId, upload);
        return { path, publicUrl: publicUrl(bucket, path) };
      } finally {
        // A slot that cannot be released now becomes free when its lease ends; the result of the upload does not
        // change.
        await releaseSlot(sql, slot).catch(() => undefined);
      }
    },

    /** Opens the stored original or a resized copy, for anybody. */
    async find(object: ObjectName): Promise<(StoredFile & { derived: boolean }) | undefined> {
      const file = await files.read(fileKey(object));
      return file && { ...file, derived: isDerived(object.path) };
    },

    /** Removes one of the caller's own objects, unless a listing or the profile still uses it. */
    async remove(userId: string, object: ObjectName): Promise<void> {
      await sql.begin(async (transaction) => {
        const found = asOwner(await repository.findObjectForRemoval(transaction, object), userId);
        if (!found) throw problem('object_not_found');
        if (await repository.isObjectInUse(transaction, found)) throw problem('photo_in_use');
        await repository.deleteObject(transaction, found);
      });
      await deleteFiles(object);
    },

    /** Removes the objects with these URLs, except those still in use. Safe to repeat after an interruption. */
    async deleteObjects(urls: readonly string[]): Promise<void> {
      for (const object of urls.map(objectOfUrl)) {
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
    listOwned: (userId: string, bucket: Bucket, urls: readonly string[], within: Queryable = sql) =>
      repository.listOwnedUrls(within, userId, bucket, urls),

    /** Removes temporary files of uploads that a crash interrupted; runs at start and every hour. */
    async removeLeftovers(): Promise<void> {
      const before = secondsAfter(clock.now(), -leftoverAgeSeconds);
      await removeLeftovers(uploads, before);
      await files.removeUnfinished(before);
    },

    /** Removes uploads that nothing has used for a day. */
    removeOrphans: (): Promise<void> => removeOrphans({ sql, files, clock, deleteFiles }),
  };
};
