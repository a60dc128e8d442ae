import postgres from 'postgres';
import { connectionOf } from '#server/platform/database-url.ts';

/** A pool of prepared, pipelined connections: SQL is written as tagged templates. */
export type Sql = postgres.Sql;
/** The same inside a transaction. */
export type Transaction = postgres.TransactionSql;
/** What a repository function takes: it fits in and out of a transaction unchanged. */
export type Queryable = postgres.ISql;

/** A piece of SQL to be put into another. */
export type Fragment = postgres.Fragment;

interface PoolOptions {
  max?: number;
  /** False: statements are planned anew each time, for the values they carry. */
  prepare?: boolean;
  /** Settings of each session, as in `postgresql.conf`. */
  settings?: Record<string, string>;
  /** Hears each statement as it is sent. */
  onStatement?: ((statement: string) => void) | undefined;
}

/** Opens a pool. Dates (without time) stay text, as YYYY-MM-DD; exact decimals and counts become numbers. */
export const openDatabase = (
  url: string,
  { max = 10, prepare = true, settings = {}, onStatement }: PoolOptions = {},
): Sql => {
  const connection = connectionOf(url);
  return postgres(connection.url, {
    max,
    ...(connection.ssl ? { ssl: connection.ssl } : {}),
    prepare,
    connect_timeout: 5,
    connection: settings,
    backoff: (attempt) => Math.min(0.1 * 2 ** attempt, 2),
    onnotice: () => {},
    ...(onStatement ? { debug: (_connection, statement) => onStatement(statement) } : {}),
    types: {
      day: { to: 1082, from: [1082], serialize: (value: string) => value, parse: (value: string) => value },
      // Prices have two decimals and at most eight digits: a double holds and prints them exactly.
      decimal: { to: 1700, from: [1700], serialize: String, parse: Number },
      // Counts and sequence numbers stay far below 2^53.
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
    },
  }) as unknown as Sql;
};

/**
 * Lets go of every connection of a pool at once: what is under way or waits for one is refused as unavailable, what
 * comes later opens a new one. For a server that says nothing any more.
 */
export const severConnections = (sql: Sql): void => {
  // Brought by our patch of the driver (docs/decisions/0006).
  (sql as Sql & { sever(): void }).sever();
};

/** Opens the pool that searches run on: how common a term is decides the plan, so each is planned anew. */
export const openSearchDatabase = (url: string, max: number, onStatement?: PoolOptions['onStatement']): Sql =>
  openDatabase(url, {
    max,
    onStatement,
    prepare: false,
    // Room for the matches of a common pair of letters among a million listings, one by one; and compiling a
    // plan, which PostgreSQL does where a plan looks dear, takes longer than a search.
    settings: { work_mem: '32MB', jit: 'off' },
  });

const code = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Whether a statement failed because a unique constraint (named, if given) already holds such a row. */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  code(error) === '23505' &&
  (constraint === undefined || (error as { constraint_name?: string }).constraint_name === constraint);

const triesAtDeadlock = 5;

/** Does anew, a few times, what PostgreSQL undid to end a deadlock: a statement or a transaction. Throws what it throws. */
export const pastDeadlocks = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (code(error) !== '40P01' || tries === triesAtDeadlock) throw error;
    }
  }
};

/** A transaction that is done anew after a deadlock; `work` touches nothing but the database. Throws what it throws. */
export const atomically = <Result>(sql: Sql, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  pastDeadlocks(async () => (await sql.begin(work)) as Result);

/** Whether a row was refused because what it refers to is not there; the constraint is named by a pattern. */
export const isReferenceViolation = (error: unknown, constraint: RegExp): boolean =>
  code(error) === '23503' && constraint.test((error as { constraint_name?: string }).constraint_name ?? '');

/** Whether a statement failed because a row would break a rule of its table. */
export const isCheckViolation = (error: unknown): boolean => code(error) === '23514';

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  // The way to it, or its name, is gone for now.
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  // PostgreSQL itself: shutting down, starting up, crashed, out of connections, disk full or failing, out of memory.
  '57P01',
  '57P02',
  '57P03',
  '53300',
  '53100',
  '53200',
  '58030',
  // Undone to end a deadlock.
  '40P01',
]);

/** Whether an error means that the database cannot be reached or cannot serve now: worth trying again. */
export const isUnavailable = (error: unknown): boolean => unreachable.has(code(error) ?? '');

/** Whether PostgreSQL refused a text that it cannot store (a NUL, a lone surrogate): the caller's doing. */
export const isUnstorableText = (error: unknown): boolean =>
  code(error) === '22021' || code(error) === '22P05';
