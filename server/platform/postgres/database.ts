import postgres from 'postgres';
import { parseDatabaseUrl } from '#server/platform/postgres/database-url.ts';
import { getPrimarySocketOption } from '#server/platform/postgres/primary-sockets.ts';

/** A connection pool with prepared, pipelined statements, written as tagged templates. */
export type Sql = postgres.Sql;
/** A connection inside a transaction. */
export type Transaction = postgres.TransactionSql;
/** A pool or a transaction. Repository functions take it, so that they work inside and outside a transaction. */
export type Queryable = postgres.ISql;

interface PoolOptions {
  max?: number;
  /** Whether statements are prepared. With false, every execution is planned for its own parameter values. */
  prepare?: boolean;
  /** PostgreSQL settings for each session; the keys are the names used in `postgresql.conf`. */
  settings?: Record<string, string>;
  /**
   * Whether a lost connection is reopened without a delay. Use this for pools that run a query at fixed
   * intervals.
   */
  reconnectsAtOnce?: boolean;
  /** Called with each statement as it is sent. */
  onStatement?: ((statement: string) => void) | undefined;
}

/** Opens a connection pool. Columns of type date are returned as text (YYYY-MM-DD), numeric and bigint as numbers. */
export const openDatabase = (
  url: string,
  { max = 10, prepare = true, settings = {}, reconnectsAtOnce = false, onStatement }: PoolOptions = {},
): Sql => {
  const connection = parseDatabaseUrl(url);
  return postgres(connection.url, {
    max,
    ...(connection.ssl ? { ssl: connection.ssl } : {}),
    ...getPrimarySocketOption(url),
    prepare,
    connect_timeout: 5,
    connection: settings,
    backoff: (attempt) => (reconnectsAtOnce ? 0 : Math.min(0.1 * 2 ** attempt, 2)),
    onnotice: () => {},
    ...(onStatement ? { debug: (_connection, statement) => onStatement(statement) } : {}),
    types: {
      day: { to: 1082, from: [1082], serialize: (value: string) => value, parse: (value: string) => value },
      // Numeric columns contain prices, with two decimals and at most eight digits, which a double represents
      // and prints exactly.
      decimal: { to: 1700, from: [1700], serialize: String, parse: Number },
      // Bigint columns contain counts and sequence numbers far below 2^53, which a JavaScript number
      // represents exactly.
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
    },
  }) as unknown as Sql;
};

/**
 * Immediately closes every connection of a pool whose server no longer responds. Running and queued
 * statements fail with an error for which `isUnavailableError` returns true; later statements open new
 * connections.
 */
export const severConnections = (sql: Sql): void => {
  // Our patch of the driver adds this method (docs/decisions/0006).
  (sql as Sql & { sever(): void }).sever();
};

const getErrorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Returns whether a statement violated a unique constraint (the named one, if given). */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  getErrorCode(error) === '23505' &&
  (constraint === undefined || (error as { constraint_name?: string }).constraint_name === constraint);

/** Returns whether a statement violated an exclusion constraint. */
export const isExclusionViolation = (error: unknown): boolean => getErrorCode(error) === '23P01';

const maxDeadlockTries = 5;

/**
 * Runs a statement or a transaction; repeats it up to four times when PostgreSQL aborts it to end a
 * deadlock. Rethrows other errors.
 */
export const retryAfterDeadlocks = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (getErrorCode(error) !== '40P01' || tries === maxDeadlockTries) throw error;
    }
  }
};

/** Returns whether a statement failed because it waited for a lock longer than `lock_timeout`. */
export const isLockTimeout = (error: unknown): boolean =>
  error instanceof Error && (('code' in error && error.code === '55P03') || isLockTimeout(error.cause));

/** What remains to be done after the commit of each transaction that `runInTransaction` has begun. */
const workAfterCommit = new WeakMap<Queryable, (() => Promise<void>)[]>();

/** The latest savepoint that `runInTransaction` has begun within each transaction. */
const latestSavepoints = new WeakMap<Transaction, Promise<unknown>>();

/** Runs `work` in a savepoint. Savepoints of a transaction run one after another, because concurrent ones would nest. */
const runInSavepoint = <Result>(
  outer: Transaction,
  work: (tx: Transaction) => Promise<Result>,
): Promise<unknown> => {
  const previous = latestSavepoints.get(outer) ?? Promise.resolve();
  const result = previous.then(() => outer.savepoint(work));
  latestSavepoints.set(
    outer,
    result.catch(() => {}),
  );
  return result;
};

/**
 * Runs `work` in a transaction and retries it after a deadlock, so `work` must have no effects outside the database;
 * `afterCommit` adds those. Given a transaction, runs `work` in a savepoint of it instead, without retries. Rethrows
 * other errors.
 */
export const runInTransaction = async <Result>(
  sql: Sql | Transaction,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> => {
  const attempt = async () => {
    const pending: (() => Promise<void>)[] = [];
    const workWithPending = (tx: Transaction): Promise<Result> => {
      workAfterCommit.set(tx, pending);
      return work(tx);
    };
    const result = await ('savepoint' in sql
      ? runInSavepoint(sql, workWithPending)
      : sql.begin(workWithPending));
    return { result: result as Result, pending };
  };
  const { result, pending } = await ('savepoint' in sql ? attempt() : retryAfterDeadlocks(attempt));
  for (const run of pending) await run();
  return result;
};

/**
 * Runs `work` when the transaction has been committed (or its savepoint released), before `runInTransaction` returns;
 * never when it is rolled back. Throws when `runInTransaction` has not begun the transaction.
 */
export const afterCommit = (tx: Queryable, work: () => Promise<void>): void => {
  const pending = workAfterCommit.get(tx);
  if (!pending) throw new Error('afterCommit needs a transaction of runInTransaction');
  pending.push(work);
};

/** Returns whether a statement violated a foreign key whose name matches the pattern. */
export const isForeignKeyViolation = (error: unknown, constraint: RegExp): boolean =>
  getErrorCode(error) === '23503' &&
  constraint.test((error as { constraint_name?: string }).constraint_name ?? '');

/** Returns whether a statement violated a check constraint. */
export const isCheckViolation = (error: unknown): boolean => getErrorCode(error) === '23514';

const unavailableErrorCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  // Codes for a network that is down or a host name that cannot be resolved.
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  // Error codes when no listed server is a primary, and when the connected server has become a standby (25006).
  'NO_PRIMARY',
  '25006',
  // Code for a PgBouncer that has lost its connection to PostgreSQL or cannot open one.
  '08P01',
  // Codes for a PostgreSQL server that is shutting down, has crashed or is starting up; that has no
  // connections, disk space or memory left; or whose disk fails.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '53100',
  '53200',
  '58030',
  // Code for a transaction that PostgreSQL aborted to end a deadlock.
  '40P01',
]);

/**
 * Returns whether an error means that the database is unreachable or temporarily failing, so that a retry makes sense.
 */
export const isUnavailableError = (error: unknown): boolean =>
  unavailableErrorCodes.has(getErrorCode(error) ?? '');

/**
 * Returns whether PostgreSQL refused text that it cannot store (a NUL character or a lone surrogate), which is the
 * caller's fault.
 */
export const isUnstorableTextError = (error: unknown): boolean =>
  getErrorCode(error) === '22021' || getErrorCode(error) === '22P05';
