import { resolve } from 'node:path';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { formatErrorMessage, Problem } from '#contract/errors.ts';
import { type Config, readConfig } from '#server/config.ts';
import { openDatabase, type Sql } from '../platform/postgres/database.ts';
import { assertUsableDatabase } from '../platform/postgres/database-check.ts';
import { connectToEmbeddedDatabase } from '../platform/postgres/embedded-connection.ts';
import { watchPrimary } from '../platform/postgres/primary-watch.ts';
import { silentLog } from '../platform/process/log.ts';

/** Thrown when the command was called with wrong arguments; the message contains the usage. */
export class UsageError extends Error {}

/** Parses the arguments of a command; throws a UsageError that contains the usage for unknown options. */
export const parseCommandArguments = <const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  usage: string,
  options: Options,
) => {
  try {
    return parseArgs({ args, allowPositionals: true, options });
  } catch {
    throw new UsageError(usage);
  }
};

/** Prints a line to standard output. */
export const printLine = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Resolves the path of a folder relative to the folder in which npm was called. */
export const resolveFolder = (name: string): string => resolve(process.env.INIT_CWD ?? process.cwd(), name);

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

const describeError = (error: unknown, config: Config | undefined): string => {
  if (error instanceof Problem && config)
    return error.message || formatErrorMessage(error.code, config.campus);
  return error instanceof Error ? error.message : String(error);
};

/**
 * Runs a command and sets the exit code: 0 on success, 1 on failure (with a one-line reason on
 * standard error), 2 for wrong arguments (with the usage).
 */
export const runCommand = async (
  command: (config: Config, args: string[]) => Promise<void>,
): Promise<void> => {
  // Make the files that the command writes accessible only to the user who runs it.
  process.umask(0o077);
  let config: Config | undefined;
  try {
    config = readConfig(process.env);
    await command(config, process.argv.slice(2));
    process.exitCode = 0;
  } catch (error) {
    process.stderr.write(`${describeError(error, config)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
};
