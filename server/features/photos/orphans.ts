import { storageBuckets } from '#contract/photos.ts';
import type { App } from '#server/app.ts';
import { addSeconds } from '#server/platform/clock.ts';
import {
  deleteUnreferencedFiles,
  unreferencedFileAgeSeconds,
} from '#server/platform/files/unreferenced-files.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { toOriginalPath } from './object-names.ts';
import { deletePhotoFiles } from './removal.ts';
import * as repository from './repository.ts';

const rowsPerBatch = 100;

// A listing that is being saved must not lose its photos. Saving locks the rows of the photos until the
// commit, so this function skips rows that are locked and locks the others. A second statement then checks
// whether the photos of the locked rows are still unused; this statement sees every save that committed
// before the rows were locked.
const removePhotosWithoutUse = async (app: App, storedBefore: Date): Promise<void> => {
  const { sql } = app;
  for (let after = ''; ; ) {
    const unused = await repository.listUnusedObjects(sql, { storedBefore, after, limit: rowsPerBatch });
    const last = unused.at(-1);
    if (!last) return;
    after = last.url;
    const removed = await runInTransaction(sql, async (tx) => {
      const idle = await repository.lockUnlockedObjects(
        tx,
        unused.map(({ url }) => url),
      );
      return repository.deleteUnusedObjects(tx, idle);
    });
    for (const object of removed) await deletePhotoFiles(app, object);
  }
};

/**
 * Removes orphans older than a day: photos that no listing (draft or published), profile or message uses, and files without
 * a row. Runs may overlap and may be interrupted at any point.
 */
export const removeOrphanedPhotos = async (app: App): Promise<void> => {
  const { sql, files, clock } = app;
  // If a form stays open longer, its photos must be uploaded again.
  await removePhotosWithoutUse(app, addSeconds(clock.now(), -unreferencedFileAgeSeconds));
  for (const bucket of storageBuckets)
    await deleteUnreferencedFiles({
      files,
      clock,
      folder: bucket,
      toReference: (key) => toOriginalPath(key.slice(bucket.length + 1)),
      listKnown: (paths) => repository.listPathsWithRow(sql, bucket, paths),
    });
};
