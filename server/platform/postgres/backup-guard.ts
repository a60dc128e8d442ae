import { setTimeout as delay } from 'node:timers/promises';
import type { Files } from '#server/platform/files/files.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { Queryable, Sql } from './database.ts';

/** The advisory lock's number: arbitrary, but the same in every version of Quad. */
const backupLock = 7_100_518_275;
const retryMs = 5_000;

/** Acquires the lock that marks a running backup, until it is released or the session ends; false when it is taken. */
export const beginBackup = async (session: Queryable): Promise<boolean> => {
  const [row] = await session<
    { taken: boolean }[]
  >`SELECT pg_try_advisory_lock(${backupLock}::bigint) AS taken`;
  return row?.taken ?? false;
};

/** Releases the lock. */
export const endBackup = async (session: Queryable): Promise<void> => {
  await session`SELECT pg_advisory_unlock(${backupLock}::bigint)`;
};

const isBackupRunning = async (sql: Queryable): Promise<boolean> => {
  const [row] = await sql<
    { free: boolean }[]
  >`SELECT pg_try_advisory_xact_lock_shared(${backupLock}::bigint) AS free`;
  return !(row?.free ?? true);
};

/**
 * Wraps a file store so that deletions wait while a backup runs, because the backup's snapshot may still contain the
 * rows. Callers delete a file after its row is committed as deleted, so a backup that starts later cannot contain the
 * row. Files that a crash leaves undeleted are removed as orphans.
 */
export const deferDeletionsDuringBackup = (files: Files, sql: Sql, log: Log): Files => {
  const postponed = new Set<string>();

  const deleteAfterwards = async (): Promise<void> => {
    while (postponed.size > 0) {
      await delay(retryMs, undefined, { ref: false });
      try {
        if (await isBackupRunning(sql)) continue;
        for (const key of postponed) {
          await files.delete(key);
          postponed.delete(key);
        }
      } catch (error) {
        log.warn({ err: error }, 'files whose deletion waited for a backup could not be deleted yet');
      }
    }
  };

  return {
    ...files,
    delete: async (key) => {
      if (!(await isBackupRunning(sql))) return files.delete(key);
      const isFirst = postponed.size === 0;
      postponed.add(key);
      if (isFirst) void deleteAfterwards();
    },
  };
};
