import postgres from 'postgres';
import { connectionOf } from '#server/platform/postgres/database-url.ts';

/** A connection pool with prepared, pipelined statements, written as tagged templates. */
export type Sql = postgres.Sql;
/** A connection inside a transaction. */
export type Transaction = postgres.TransactionSql;
/** What repository functions take, so that they work inside and outside a transaction. */
export type Queryable = postgres.ISql;

interface PoolOptions {
  max?: number;
  /** False: every execution is planned for its own parameter values. */
  prepare?: boolean;
  /** Session settings, as in `postgresql.conf`. */
  settings?: Record<string, string>;
  /** Called with each statement as it is sent. */
  onStatement?: ((statement: string) => void) | undefined;
}

/** Opens a connection pool. Dates stay text (YYYY-MM-DD); decimals and bigints become numbers. */
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
      // Prices have two decimals and at most eight digits, which a double represents and prints exactly.
      decimal: { to: 1700, from: [1700], serialize: String, parse: Number },
      // Counts and sequence numbers stay far below 2^53.
      bigint: { to: 20, from: [20], serialize: String, parse: Number },
    },
  }) as unknown as Sql;
};

/**
 * Closes every connection of a pool immediately: running and queued statements fail as unavailable, later ones open new
 * connections. For a server that no longer responds.
 */
export const severConnections = (sql: Sql): void => {
  // Added by our patch of the driver (docs/decisions/0006).
  (sql as Sql & { sever(): void }).sever();
};

/** Opens the pool for searches. The best plan depends on how common a term is, so every search is planned. */
export const openSearchDatabase = (url: string, max: number, onStatement?: PoolOptions['onStatement']): Sql =>
  openDatabase(url, {
    max,
    onStatement,
    prepare: false,
    // Enough memory for an exact bitmap of the matches of a common pair of letters among a million listings. JIT
    // compilation is off because it takes longer than a search.
    settings: { work_mem: '32MB', jit: 'off' },
  });

const code = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Returns whether a statement violated a unique constraint (the named one, if given). */
export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  code(error) === '23505' &&
  (constraint === undefined || (error as { constraint_name?: string }).constraint_name === constraint);

const triesAtDeadlock = 5;

/** Retries a statement or transaction a few times when PostgreSQL aborted it to end a deadlock. Throws what it throws. */
export const pastDeadlocks = async <Result>(attempt: () => Promise<Result>): Promise<Result> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (code(error) !== '40P01' || tries === triesAtDeadlock) throw error;
    }
  }
};

/** Runs a transaction and retries it after a deadlock; `work` must only touch the database. Throws what it throws. */
export const atomically = <Result>(sql: Sql, work: (tx: Transaction) => Promise<Result>): Promise<Result> =>
  pastDeadlocks(async () => (await sql.begin(work)) as Result);

/** Returns whether a statement violated a foreign key whose name matches the pattern. */
export const isReferenceViolation = (error: unknown, constraint: RegExp): boolean =>
  code(error) === '23503' && constraint.test((error as { constraint_name?: string }).constraint_name ?? '');

/** Returns whether a statement violated a check constraint. */
export const isCheckViolation = (error: unknown): boolean => code(error) === '23514';

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  // The network or the host name is unavailable.
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
  // Aborted to end a deadlock.
  '40P01',
]);

/** Returns whether an error means that the database is unreachable or temporarily failing, so that a retry makes sense. */
export const isUnavailable = (error: unknown): boolean => unreachable.has(code(error) ?? '');

/** Returns whether PostgreSQL refused a text that it cannot store (a NUL, a lone surrogate), which is the caller's fault. */
export const isUnstorableText = (error: unknown): boolean =>
  code(error) === '22021' || code(error) === '22P05';
