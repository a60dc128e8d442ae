import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { parseDatabaseUrl } from '#server/platform/postgres/database-url.ts';
import { getPrimaryStreamOption } from '#server/platform/postgres/primary-sockets.ts';
import type { Log } from '#server/platform/process/log.ts';
import { isLockTimeout, type Queryable } from './database.ts';

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

/**
 * Maximum time that a migration waits for a table lock. Other lock requests queue behind a waiting migration, so it
 * gives up after this time and retries. The value is below PostgreSQL's `deadlock_timeout` (1 s), so that in a deadlock
 * the migration is rolled back instead of a request.
 */
const lockTimeout = '500ms';
const retryDelayMs = 1_000;
/** How long to keep retrying a migration that cannot acquire its table locks. */
const lockRetryTimeoutMs = 15 * 60_000;

const listAppliedMigrations = async (sql: Queryable): Promise<string[]> => {
  const [row] = await sql<{ found: boolean }[]>`
    SELECT to_regclass('schema_migrations') IS NOT NULL AS found`;
  if (!row?.found) return [];
  const rows = await sql<{ name: string }[]>`SELECT name FROM schema_migrations ORDER BY id`;
  return rows.map(({ name }) => name);
};

/**
 * Throws an error with a one-line message for the administrator when a newer version of Quad has
 * migrated the database, because this version would misinterpret its rows. Accepts older schemas,
 * because the server migrates them when it starts.
 */
export const assertSchemaNotNewer = async (sql: Queryable, folder = migrationsFolder): Promise<void> => {
  const known = new Set(listMigrations(folder));
  const unknown = (await listAppliedMigrations(sql)).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new Error(
    `The database has the schema of a newer version (${unknown.at(-1)}): start that version, or restore a backup to go back.`,
  );
};

/**
 * Throws an error with a one-line message for the administrator unless the database has exactly the
 * schema of this version.
 */
export const assertCurrentSchema = async (sql: Queryable): Promise<void> => {
  await assertSchemaNotNewer(sql);
  if ((await listAppliedMigrations(sql)).join() === listMigrations().join()) return;
  throw new Error('The database has the schema of an older version: start the server of this one first.');
};

interface MigrateOptions {
  /** Connection string of the database to bring up to date; its role must be allowed to create schemas. */
  databaseUrl: string;
  log: Pick<Log, 'info'>;
  /** Folder of the numbered SQL files; `server/migrations` by default. Tests pass another one. */
  folder?: string;
  /** Number of the last migration to run, counted from 1. By default, all migrations run. */
  upTo?: number | undefined;
}

/** Returns the names of the numbered SQL files, in order. */
export const listMigrations = (folder = migrationsFolder): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .map((name) => name.slice(0, -'.sql'.length))
    .sort();

/**
 * Opens the connection for migrations. The lock timeout is set by a statement, because connection poolers
 * refuse it as a start-up parameter.
 */
const connect = async (databaseUrl: string): Promise<pg.Client> => {
  const { url: connectionString, ssl } = parseDatabaseUrl(databaseUrl);
  const client = new pg.Client({
    connectionString,
    ...(ssl ? { ssl } : {}),
    ...getPrimaryStreamOption(databaseUrl),
  });
  // Ignore the event, because a lost connection also fails the running statement.
  client.on('error', () => {});
  await client.connect();
  await client.query(`SET lock_timeout = '${lockTimeout}'`);
  return client;
};

const toSingleLineMessage = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').trim();

/**
 * Returns the line of a file at which a statement failed, as in ` in line 12`; an empty string when PostgreSQL reports
 * no position.
 */
const formatFailedLineNumber = (error: unknown, file: string): string => {
  const position = error instanceof Error && 'position' in error ? Number(error.position) : Number.NaN;
  if (!Number.isInteger(position) || !existsSync(file)) return '';
  return ` in line ${readFileSync(file, 'utf8').slice(0, position).split('\n').length}`;
};

/**
 * Migrates the database to the newest schema: runs, in order, every numbered SQL file of
 * `server/migrations` that has not run yet, and returns their names (`[]` when there was nothing to
 * do).
 *
 * Processes that start together wait for one another on an advisory lock, so each file runs once.
 * Each file runs in one transaction: when it fails, it is rolled back and earlier files stay
 * applied. A file that cannot acquire a table lock within half a second is rolled back, so that it
 * does not block requests, and retried for up to 15 minutes.
 *
 * Throws an error with a one-line message when the database cannot be reached, when a statement
 * fails (the message contains the file's name and the line), or when the files that already ran are
 * no longer the first files in the folder.
 */
export const migrateDatabase = async (options: MigrateOptions): Promise<string[]> => {
  const done: string[] = [];
  const folder = options.folder ?? migrationsFolder;
  for (const start = performance.now(); ; ) {
    const started: string[] = [];
    let client: pg.Client | undefined;
    try {
      client = await connect(options.databaseUrl);
      await runner({
        dbClient: client,
        dir: folder,
        direction: 'up',
        ...(options.upTo === undefined ? {} : { count: options.upTo - done.length }),
        migrationsTable: 'schema_migrations',
        checkOrder: true,
        singleTransaction: false,
        advisoryLockMode: 'wait',
        logger: {
          info: (message) => {
            const [, name] = /^### MIGRATION (\S+)/.exec(message) ?? [];
            if (name) started.push(name);
          },
          warn: () => {},
          error: () => {},
        },
      });
      done.push(...started);
      if (done.length > 0) options.log.info(`database migrated: ${done.join(', ')}`);
      return done;
    } catch (error) {
      const failed = started.pop() ?? 'the migrations';
      done.push(...started);
      if (isLockTimeout(error) && performance.now() - start < lockRetryTimeoutMs) {
        options.log.info(`${failed} waits for a lock on the database`);
        await delay(retryDelayMs);
        continue;
      }
      const where = formatFailedLineNumber(error, join(folder, `${failed}.sql`));
      throw new Error(
        `The database could not be migrated: ${failed} failed${where}: ${toSingleLineMessage(error)}`,
        {
          cause: error,
        },
      );
    } finally {
      await client?.end();
    }
  }
};
