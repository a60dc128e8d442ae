import { openDatabase, type Queryable, type Sql } from './database.ts';

/**
 * Runs the statements of one search. Statements are planned for their actual parameters, because the best plan depends
 * on how common a text or filter is.
 */
export type SearchRunner = <Result>(work: (sql: Queryable) => Promise<Result>) => Promise<Result>;

/** A connection pool that is used only for searches. */
export interface SearchDatabase {
  sql: Sql;
  run: SearchRunner;
}

interface SearchPoolOptions {
  max: number;
  /** Called with each statement as it is sent. */
  onStatement?: ((statement: string) => void) | undefined;
  /** Whether a connection pooler is in front of the database. Poolers refuse settings that are made for a session. */
  hasPooler?: boolean;
}

/**
 * PostgreSQL settings for searches. Among a million listings, 32 MB is enough for an exact bitmap of those
 * that contain a common pair of letters. JIT compilation is off because it takes longer than a search.
 */
export const settingsForSearches = { work_mem: '32MB', jit: 'off' };

/** Runs `work` in a read-only transaction with the settings for searches. */
const runInSearchTransaction = async <Result>(
  sql: Sql,
  work: (tx: Queryable) => Promise<Result>,
): Promise<Result> => {
  const { work_mem: memory, jit } = settingsForSearches;
  const setThenWork = async (tx: Queryable): Promise<Result> => {
    // The search follows the settings without waiting for PostgreSQL's response.
    const settings = tx`SELECT set_config('work_mem', ${memory}, true), set_config('jit', ${jit}, true)`;
    const [, found] = await Promise.all([settings, work(tx)]);
    return found;
  };
  return sql.begin(setThenWork, { isReadOnly: true });
};

/** Opens a connection pool that is used only for searches. */
export const openSearchDatabase = (
  url: string,
  { max, onStatement, hasPooler = false }: SearchPoolOptions,
): SearchDatabase => {
  const sql = openDatabase(url, {
    max,
    onStatement,
    prepare: false,
    settings: hasPooler ? {} : settingsForSearches,
  });
  return { sql, run: (work) => (hasPooler ? runInSearchTransaction(sql, work) : work(sql)) };
};
