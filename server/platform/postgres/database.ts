import type { Client } from 'pg';
import { toClientConfig } from './client-config.ts';
import { type Connection, isStaleStatementError, openPool, type Statement } from './connection-pool.ts';
import { getErrorCode } from './database-errors.ts';
import { getPrimaryStreamOption } from './primary-sockets.ts';
import { createQueryable, type Queryable, type Run } from './queryable.ts';

export {
  isCheckViolation,
  isExclusionViolation,
  isForeignKeyViolation,
  isLockTimeout,
  isUnavailableError,
  isUniqueViolation,
  isUnstorableTextError,
} from './database-errors.ts';
export type { Queryable } from './queryable.ts';

/** One connection of a pool, for statements that depend on one another, such as those of a transaction. */
export interface Session extends Queryable {
  /** The driver's connection, for COPY and notifications. */
  readonly client: Client;
}

/** A session that belongs to the caller until it is released. */
export interface ReservedSession extends Session {
  /** Id of the server process, as the server announced it when the connection was opened. */
  readonly processId: number;
  release(): void;
}

/** A connection inside a transaction. Rejects all statements after the end of the transaction. */
export interface Transaction extends Session {
  /** Runs `work` in a savepoint, which is rolled back when `work` throws or one of its statements fails. */
  savepoint<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result>;
}

/** A pool of connections. */
export interface Sql extends Queryable {
  /** Runs `work` in a transaction, which is committed when `work` is done and rolled back when it throws. */
  begin<Result>(
    work: (tx: Transaction) => Promise<Result>,
    options?: { isReadOnly?: boolean },
  ): Promise<Result>;
  /** Takes a connection of the pool. */
  reserve(): Promise<ReservedSession>;
  /** Opens a connection beside those of the pool, which `end` closes even while it is in use. */
  connect(): Promise<ReservedSession>;
  /** Closes the connections immediately (see `severConnections`). */
  sever(): void;
  /** Waits for running statements, at most `timeout` seconds if it is given, and closes all connections. */
  end(options?: { timeout?: number }): Promise<void>;
}

interface PoolOptions {
  max?: number;
  /** Whether statements are prepared. With false, every execution is planned for its own parameter values. */
  prepare?: boolean;
  /** PostgreSQL settings for each session; the keys are the names used in `postgresql.conf`. */
  settings?: Record<string, string>;
  /** Called with each statement as it is sent. */
  onStatement?: ((text: string, values: readonly unknown[]) => void) | undefined;
}

/** The state of a transaction, which its savepoints share. */
interface TransactionState {
  connection: Connection;
  prepare: boolean;
  isOver: boolean;
  savepoints: number;
  /** Error of the first statement that failed. */
  failure: unknown;
}

const createTransaction = (state: TransactionState): Transaction => {
  const { connection } = state;
  const run: Run = async (statement) => {
    if (state.isOver) throw new Error('The transaction is over');
    try {
      return await connection.query(statement);
    } catch (error) {
      state.failure ??= error;
      throw error;
    }
  };
  const savepoint: Transaction['savepoint'] = async (work) => {
    state.savepoints += 1;
    const name = `savepoint_${state.savepoints}`;
    await run({ text: `SAVEPOINT ${name}` });
    try {
      const result = await work(createTransaction(state));
      // A failed statement has aborted the savepoint, even if the program ignored the error.
      if (state.failure) throw state.failure;
      return result;
    } catch (error) {
      await run({ text: `ROLLBACK TO SAVEPOINT ${name}` });
      state.failure = undefined;
      throw error;
    }
  };
  return createQueryable(run, state.prepare, { client: connection.client, savepoint });
};

const runTransaction = async <Result>(
  connection: Connection,
  work: (tx: Transaction) => Promise<Result>,
  { prepare, isReadOnly }: { prepare: boolean; isReadOnly: boolean },
): Promise<Result> => {
  const state: TransactionState = { connection, prepare, isOver: false, savepoints: 0, failure: undefined };
  await connection.query({ text: isReadOnly ? 'BEGIN READ ONLY' : 'BEGIN' });
  let result: Result;
  try {
    result = await work(createTransaction(state));
  } catch (error) {
    state.isOver = true;
    await connection.query({ text: 'ROLLBACK' }).catch(() => {});
    throw error;
  }
  state.isOver = true;
  const { command } = await connection.query({ text: 'COMMIT' });
  // PostgreSQL rolls back a transaction in which a statement failed, even if the program ignored the error.
  if (command === 'ROLLBACK') throw state.failure ?? new Error('The transaction was rolled back');
  return result;
};

/** Opens a connection pool. */
export const openDatabase = (
  url: string,
  { max = 10, prepare = true, settings = {}, onStatement }: PoolOptions = {},
): Sql => {
  const config = { ...toClientConfig(url, settings), ...getPrimaryStreamOption(url) };
  const report = onStatement && (({ text, values = [] }: Statement) => onStatement(text, values));
  const pool = openPool(config, { max, onStatement: report });
  const withConnection = async <Result>(
    use: (connection: Connection) => Promise<Result>,
  ): Promise<Result> => {
    const connection = await pool.acquire();
    try {
      return await use(connection);
    } finally {
      connection.release();
    }
  };
  const run: Run = async (statement) => {
    const runOnce = () => withConnection((connection) => connection.query(statement));
    // A statement that cannot be executed as it was prepared has had no effect.
    return runOnce().catch((error: unknown) => {
      if (isStaleStatementError(error)) return runOnce();
      throw error;
    });
  };
  const createSession = (connection: Connection): ReservedSession =>
    createQueryable(connection.query, prepare, {
      client: connection.client,
      processId: (connection.client as Client & { processID: number }).processID,
      release: connection.release,
    });
  return createQueryable(run, prepare, {
    begin: <Result>(
      work: (tx: Transaction) => Promise<Result>,
      { isReadOnly = false }: { isReadOnly?: boolean } = {},
    ): Promise<Result> =>
      withConnection((connection) => runTransaction(connection, work, { prepare, isReadOnly })),
    reserve: async () => createSession(await pool.acquire()),
    connect: async () => createSession(await pool.connect()),
    sever: pool.sever,
    end: ({ timeout }: { timeout?: number } = {}) => pool.end(timeout),
  });
};

/**
 * Immediately closes every connection of a pool whose server no longer responds. Running and queued
 * statements fail with an error for which `isUnavailableError` returns true; later statements open new
 * connections.
 */
export const severConnections = (sql: Sql): void => sql.sever();

const maxDeadlockTries = 5;

/**
 * Runs a statement or a transaction; repeats it up to four times when PostgreSQL aborts it to end a
 * deadlock, or cannot use a prepared statement after a change of the schema. Rethrows other errors.
 */
export const retryAfterDeadlocks = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isAborted = getErrorCode(error) === '40P01' || isStaleStatementError(error);
      if (!isAborted || tries === maxDeadlockTries) throw error;
    }
  }
};

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
