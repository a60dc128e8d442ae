import { setTimeout as delay } from 'node:timers/promises';
import type { FileStore } from '#server/platform/files/files.ts';
import type { Log } from '#server/platform/process/log.ts';
import { isLockTimeout, type Queryable, type Sql } from './database.ts';

/** Id of the advisory lock that a running backup holds: arbitrary, but the same in every version of Quad. */
const backupLockId = 7_100_518_275;
const retryDelayMs = 5_000;

/**
 * Acquires the lock that marks a running backup. The lock is held until `releaseBackupLock` is called or the
 * session ends. Waits two seconds for deletions of files, which hold it for a moment. Returns false when another
 * backup holds the lock.
 */
export const acquireBackupLock = async (session: Queryable): Promise<boolean> => {
  await session`SET lock_timeout = '2s'`;
  try {
    await session`SELECT pg_advisory_lock(${backupLockId}::bigint)`;
    return true;
  } catch (error) {
    if (isLockTimeout(error)) return false;
    throw error;
  } finally {
    await session`RESET lock_timeout`;
  }
};

/** Releases the lock that `acquireBackupLock` acquired. */
export const releaseBackupLock = async (session: Queryable): Promise<void> => {
  await session`SELECT pg_advisory_unlock(${backupLockId}::bigint)`;
};

const isBackupRunning = async (sql: Queryable): Promise<boolean> => {
  const [row] = await sql<
    { free: boolean }[]
  >`SELECT pg_try_advisory_xact_lock_shared(${backupLockId}::bigint) AS free`;
  return !(row?.free ?? true);
};

/**
 * Wraps a file store so that deletions wait while a backup runs, because the backup's snapshot may still contain rows
 * that name the files. Callers delete a file only after the deletion of its row is committed, so a backup that starts
 * later does not contain the row. If the process crashes before a postponed deletion, the orphan job removes the file.
 */
export const deferDeletionsDuringBackup = (files: FileStore, sql: Sql, log: Log): FileStore => {
  const postponed = new Set<string>();

  const deleteAfterwards = async (): Promise<void> => {
    while (postponed.size > 0) {
      await delay(retryDelayMs, undefined, { ref: false });
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
