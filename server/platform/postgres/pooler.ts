import { openDatabase, type Queryable, type Sql } from './database.ts';

/** How many times two connections are compared. */
const comparisonCount = 8;

const readProcessIds = async (sql: Queryable): Promise<{ announced: number; actual: number }> => {
  const rows = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return { announced: rows.state.pid, actual: rows[0]?.pid ?? 0 };
};

/**
 * Returns whether a connection pooler is between this process and PostgreSQL. A pooler announces process ids of its
 * own, because it decides later which PostgreSQL process serves a connection.
 */
export const hasPooler = async (sql: Queryable): Promise<boolean> => {
  const { announced, actual } = await readProcessIds(sql);
  return announced !== actual;
};

/**
 * Returns whether the pooler behind `databaseUrl` gives a connection to PostgreSQL to another client after each
 * transaction: then two open connections are served by the same process, or one by several.
 */
export const isTransactionPooler = async (databaseUrl: string): Promise<boolean> => {
  const pools: Sql[] = [1, 2].map(() => openDatabase(databaseUrl, { max: 1, prepare: false }));
  try {
    const seen: [Set<number>, Set<number>] = [new Set(), new Set()];
    for (let count = 0; count < comparisonCount; count += 1)
      for (const [index, pool] of pools.entries()) seen[index]?.add((await readProcessIds(pool)).actual);
    return seen.some(({ size }) => size > 1) || !seen[0].isDisjointFrom(seen[1]);
  } finally {
    await Promise.all(pools.map((pool) => pool.end({ timeout: 1 })));
  }
};
