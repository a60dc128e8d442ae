import { setTimeout as delay } from 'node:timers/promises';
import type { Files } from '#server/platform/files/files.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { Queryable, Sql } from './database.ts';

/** Any number will do, as long as every version of Quad takes the same one. */
const backupLock = 7_100_518_275;
const lookAgainMs = 5_000;

/** Takes the lock that says "a backup runs", until it is given back or the session ends; false when another has it. */
export const beginBackup = async (session: Queryable): Promise<boolean> => {
  const [row] = await session<
    { taken: boolean }[]
  >`SELECT pg_try_advisory_lock(${backupLock}::bigint) AS taken`;
  return row?.taken ?? false;
};

/** Gives the lock back. */
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
 * A store that keeps what is deleted while a backup runs, and deletes it afterwards: the backup may know of rows that
 * were there when it began. Who deletes a file asks after its row is gone for good, so a backup that begins later
 * cannot know that row. What a crash leaves undeleted is cleared away with the other files that belong to nothing.
 */
export const keepDuringBackup = (files: Files, sql: Sql, log: Log): Files => {
  const postponed = new Set<string>();

  const deleteAfterwards = async (): Promise<void> => {
    while (postponed.size > 0) {
      await delay(lookAgainMs, undefined, { ref: false });
      try {
        if (await isBackupRunning(sql)) continue;
        for (const key of postponed) {
          await files.delete(key);
          postponed.delete(key);
        }
      } catch (error) {
        log.warn({ err: error }, 'files that a backup held back could not be deleted yet');
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
