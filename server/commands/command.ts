import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '#server/config.ts';
import { openDatabase, type Sql } from '../platform/postgres/database.ts';
import { assertUsableDatabase } from '../platform/postgres/database-check.ts';
import { connectToEmbeddedDatabase } from '../platform/postgres/embedded-connection.ts';
import { watchPrimary } from '../platform/postgres/primary-watch.ts';
import { silentLog } from '../platform/process/log.ts';

/** Resolves the path of a folder relative to the folder in which npm was called. */
export const resolveFolder = (name: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), name);

/** Reads a text file. Throws when it is not UTF-8, as spreadsheets may save it. */
export const readTextFile = async (name: string): Promise<string> => {
  const content = await readFile(resolveFolder(name));
  if (!isUtf8(content)) throw new Error('This file is not UTF-8. Save it as CSV UTF-8.');
  return content.toString();
};

/** Connects to the configured database, whether or not servers are running. */
export const connectToDatabase = async (
  config: Config,
): Promise<{ url: string; sql: Sql; close: () => Promise<void> }> => {
  // Commands hold locks and sessions, which a pooler in transaction mode does not support, so connect to the
  // database directly.
  const configuredUrl = config.directDatabaseUrl ?? config.databaseUrl;
  const access = configuredUrl
    ? { url: configuredUrl, close: async () => {} }
    : await connectToEmbeddedDatabase({
        dataDir: resolve(config.dataDir),
        log: silentLog,
        bin: config.postgresBin,
      });
  const sql = openDatabase(access.url, { max: 3 });
  const watch = watchPrimary(access.url, silentLog);
  const close = async () => {
    watch.stop();
    await sql.end({ timeout: 5 });
    await access.close();
  };
  try {
    await assertUsableDatabase(
      sql,
      access.url,
      config.directDatabaseUrl ? { setting: 'QUAD_DATABASE_DIRECT_URL' } : {},
    );
    return { url: access.url, sql, close };
  } catch (error) {
    await close();
    throw error;
  }
};
