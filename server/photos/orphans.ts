import { type StorageBucket, storageBuckets } from '#contract/photos.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { FileStore } from '#server/platform/files/files.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { type ObjectName, toOriginalPath } from './names.ts';
import * as repository from './repository.ts';

interface OrphanDeps {
  sql: Sql;
  files: FileStore;
  clock: Clock;
  deleteFiles(object: ObjectName): Promise<void>;
}

/** How long an unused photo is kept: a day. If a form stays open longer, its photos must be uploaded again. */
const orphanAgeSeconds = 86_400;
const rowsPerBatch = 100;
const filesPerBatch = 1000;

// A listing that is being saved must not lose its photos. Saving locks the rows of the photos until the
// commit, so this function skips rows that are locked and locks the others. A second statement then checks
// whether the photos of the locked rows are still unused; this statement sees every save that committed
// before the rows were locked.
const removeUnusedPhotos = async ({ sql, deleteFiles }: OrphanDeps, storedBefore: Date): Promise<void> => {
  for (let after = ''; ; ) {
    const unused = await repository.listUnusedObjects(sql, { storedBefore, after, limit: rowsPerBatch });
    const last = unused.at(-1);
    if (!last) return;
    after = last.url;
    const removed = await sql.begin(async (tx) => {
      const idle = await repository.lockUnlockedObjects(
        tx,
        unused.map(({ url }) => url),
      );
      return repository.deleteUnusedObjects(tx, idle);
    });
    for (const object of removed) await deleteFiles(object);
  }
};

// Deletes files that have no row in the database. A crash or an account deletion can leave such
// files, because a file is written before its row is inserted and deleted after its row.
const removeFilesWithoutRow = async (
  { sql, files }: OrphanDeps,
  { bucket, storedBefore }: { bucket: StorageBucket; storedBefore: Date },
): Promise<void> => {
  const toBasePath = (key: string) => toOriginalPath(key.slice(bucket.length + 1));
  const deleteBatch = async (keys: string[]) => {
    const paths = [...new Set(keys.map(toBasePath))];
    const known = new Set(await repository.listPathsWithRow(sql, bucket, paths));
    for (const key of keys) if (!known.has(toBasePath(key))) await files.delete(key);
  };
  let batch: string[] = [];
  for await (const { key, storedAt } of files.list(bucket)) {
    if (storedAt >= storedBefore) continue;
    batch.push(key);
    if (batch.length < filesPerBatch) continue;
    await deleteBatch(batch);
    batch = [];
  }
  await deleteBatch(batch);
};

/**
 * Removes orphans older than a day: photos that no listing (draft or published) and no profile uses, and files without
 * a row. Runs may overlap and may be interrupted at any point.
 */
export const removeOrphans = async (deps: OrphanDeps): Promise<void> => {
  const storedBefore = addSeconds(deps.clock.now(), -orphanAgeSeconds);
  await removeUnusedPhotos(deps, storedBefore);
  for (const bucket of storageBuckets) await removeFilesWithoutRow(deps, { bucket, storedBefore });
};
