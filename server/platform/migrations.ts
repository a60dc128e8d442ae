import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type { Queryable } from './database.ts';
import type { Log } from './log.ts';

const migrationsFolder = fileURLToPath(new URL('../migrations', import.meta.url));

/**
 * Whoever asks for a lock on a table after a waiting migration waits behind it. So a migration waits this long and no
 * longer, lets everybody pass, and tries again. Less than PostgreSQL's `deadlock_timeout` (1 s): of a migration and a
 * request that wait for each other, the migration gives way.
 */
const lockPatience = '500ms';
const betweenTriesMs = 1_000;
/** Neighbours that start at the same moment wait for the one that migrates, which may be building an index. */
const patienceMs = 15 * 60_000;

/** Throws, with one line for the administrator, unless the database has exactly the schema of this version. */
export const assertCurrentSchema = async (sql: Queryable): Promise<void> => {
  const applied = await sql<{ name: string }[]>`SELECT name FROM schema_migrations ORDER BY id`.catch(
    () => [],
  );
  const isCurrent = applied.map(({ name }) => name).join() === listMigrations().join();
  if (!isCurrent)
    throw new Error('The database has the schema of another version: start the server of this one first.');
};

type MigrateOptions = {
  /** Connection string of the database to bring up to date; its role must be allowed to create schemas. */
  databaseUrl: string;
  log: Pick<Log, 'info'>;
  /** Folder of the numbered SQL files; the project's own unless a test brings another. */
  folder?: string;
  /** How many of them at most, from the first on; all when not given. */
  upTo?: number | undefined;
};

/** The names of the numbered SQL files, in order. */
export const listMigrations = (folder = migrationsFolder): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -'.sql'.length))
    .sort();

const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '55P03') || isLockTimeout(error.cause));

/**
 * Brings the database to the newest schema: runs, in order, every numbered SQL file of `server/migrations`
 * that has not run there yet, and answers their names (`[]` when there was nothing to do).
 *
 * Processes that start together wait for one another on an advisory lock, so each file runs once.
 * Each file is one transaction: a failing one leaves nothing behind, those before it stay. One that does not get its
 * locks within half a second is undone and tried again, for 15 minutes, so that it holds up no one who is being served.
 *
 * Throws when the database cannot be reached, when a statement fails (the file's name is in the message),
 * or when a file was inserted before, or removed from among, those that already ran.
 */
export async function migrateDatabase(options: MigrateOptions): Promise<string[]> {
  const done: string[] = [];
  for (const start = performance.now(); ; ) {
    const begun: string[] = [];
    const complaints: string[] = [];
    try {
      await runner({
        databaseUrl: { connectionString: options.databaseUrl, options: `-c lock_timeout=${lockPatience}` },
        dir: options.folder ?? migrationsFolder,
        direction: 'up',
        ...(options.upTo === undefined ? {} : { count: options.upTo - done.length }),
        migrationsTable: 'schema_migrations',
        checkOrder: true,
        singleTransaction: false,
        advisoryLockMode: 'wait',
        logger: {
          info: (message) => {
            const [, name] = /^### MIGRATION (\S+)/.exec(message) ?? [];
            if (name) begun.push(name);
          },
          warn: (message) => complaints.push(message),
          error: (message) => complaints.push(message),
        },
      });
      done.push(...begun);
      if (done.length > 0) options.log.info(`database migrated: ${done.join(', ')}`);
      return done;
    } catch (error) {
      const failed = begun.pop() ?? 'the migrations';
      done.push(...begun);
      if (isLockTimeout(error) && performance.now() - start < patienceMs) {
        options.log.info(`${failed} waits for a lock on the database`);
        await delay(betweenTriesMs);
        continue;
      }
      // The first complaint quotes the statement; later ones only follow from it.
      const reason = complaints[0] ?? (error instanceof Error ? error.message : String(error));
      throw new Error(`The database could not be migrated: ${failed} failed.\n${reason.trim()}`, {
        cause: error,
      });
    }
  }
}
