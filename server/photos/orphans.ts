import { type Bucket, buckets } from '#contract/photos.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Files } from '#server/platform/files/files.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { basePath, type ObjectName } from './names.ts';
import * as repository from './repository.ts';

interface OrphanDeps {
  sql: Sql;
  files: Files;
  clock: Clock;
  deleteFiles(object: ObjectName): Promise<void>;
}

/** A day. The photos of a form that stays open for longer have to be uploaded again. */
const orphanAge = 86_400;
const rowsAtOnce = 100;
const filesAtOnce = 1000;

// Saving a listing locks the rows of its photos until the commit. This job skips locked rows, locks the others, and then
// checks again with a second statement, which sees every save that committed before the lock.
const removeUnused = async ({ sql, deleteFiles }: OrphanDeps, storedBefore: Date): Promise<void> => {
  for (let after = ''; ; ) {
    const unused = await repository.listUnused(sql, { storedBefore, after, limit: rowsAtOnce });
    const last = unused.at(-1);
    if (!last) return;
    after = last.url;
    const removed = await sql.begin(async (tx) => {
      const idle = await repository.lockIdle(
        tx,
        unused.map(({ url }) => url),
      );
      return repository.deleteUnused(tx, idle);
    });
    for (const object of removed) await deleteFiles(object);
  }
};

// Files are written before their row and deleted after it, so a crash in between, or account deletion, leaves files
// without a row.
const removeUnknown = async (
  { sql, files }: OrphanDeps,
  { bucket, storedBefore }: { bucket: Bucket; storedBefore: Date },
): Promise<void> => {
  const pathOf = (key: string) => basePath(key.slice(bucket.length + 1));
  const removeWithoutRow = async (keys: string[]) => {
    const paths = [...new Set(keys.map(pathOf))];
    const known = new Set(await repository.listKnownPaths(sql, bucket, paths));
    for (const key of keys) if (!known.has(pathOf(key))) await files.delete(key);
  };
  let batch: string[] = [];
  for await (const { key, storedAt } of files.list(bucket)) {
    if (storedAt >= storedBefore) continue;
    batch.push(key);
    if (batch.length < filesAtOnce) continue;
    await removeWithoutRow(batch);
    batch = [];
  }
  await removeWithoutRow(batch);
};

/**
 * Removes orphans older than a day: objects that no listing (draft or published) and no profile uses, and files without
 * an object. Runs may overlap and may be interrupted anywhere.
 */
export const removeOrphans = async (deps: OrphanDeps): Promise<void> => {
  const storedBefore = secondsAfter(deps.clock.now(), -orphanAge);
  await removeUnused(deps, storedBefore);
  for (const bucket of buckets) await removeUnknown(deps, { bucket, storedBefore });
};
