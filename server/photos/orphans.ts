import type { Bucket } from '#contract/photos.ts';
import { buckets } from '#contract/photos.ts';
import type { Clock } from '#server/platform/clock.ts';
import { secondsAfter } from '#server/platform/clock.ts';
import type { Files } from '#server/platform/files/files.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { ObjectName } from './names.ts';
import { basePath } from './names.ts';
import * as repository from './repository.ts';

interface OrphanDeps {
  sql: Sql;
  files: Files;
  clock: Clock;
  deleteFiles(object: ObjectName): Promise<void>;
}

/** A day: whoever writes a listing for longer than that uploads its photos again. */
const orphanAge = 86_400;
const rowsAtOnce = 100;
const filesAtOnce = 1000;

// A save locks what it takes up until it commits. What is locked is left for another day; what could be locked is
// looked at again by a second statement, which sees every save that was quicker than the lock.
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

// Files come before their row and go after it, so a crash in between, or a deleted account, leaves files alone.
const removeUnknown = async (
  { sql, files }: OrphanDeps,
  { bucket, storedBefore }: { bucket: Bucket; storedBefore: Date },
): Promise<void> => {
  const pathOf = (key: string) => basePath(key.slice(bucket.length + 1));
  const removeThose = async (keys: string[]) => {
    const paths = [...new Set(keys.map(pathOf))];
    const known = new Set(await repository.listKnownPaths(sql, bucket, paths));
    for (const key of keys) if (!known.has(pathOf(key))) await files.delete(key);
  };
  let batch: string[] = [];
  for await (const { key, storedAt } of files.list(bucket)) {
    if (storedAt >= storedBefore) continue;
    batch.push(key);
    if (batch.length < filesAtOnce) continue;
    await removeThose(batch);
    batch = [];
  }
  await removeThose(batch);
};

/**
 * Removes what was stored more than a day ago and belongs to nothing: objects that no listing (draft or published)
 * and no profile shows, and files that no object accounts for. May run twice at once, and be cut off anywhere.
 */
export const removeOrphans = async (deps: OrphanDeps): Promise<void> => {
  const storedBefore = secondsAfter(deps.clock.now(), -orphanAge);
  await removeUnused(deps, storedBefore);
  for (const bucket of buckets) await removeUnknown(deps, { bucket, storedBefore });
};
