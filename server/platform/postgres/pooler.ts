import { openDatabase, type Sql } from './database.ts';

/**
 * How many times the process ids behind the two test connections are read. A pooler may need several
 * transactions to switch processes.
 */
const comparisonCount = 8;

/** Returns the process id that a connection was given when it opened, and the one that runs its statements. */
const readProcessIds = async (sql: Sql): Promise<{ announced: number; actual: number }> => {
  const session = await sql.reserve();
  try {
    const [row] = await session<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    return { announced: session.processId, actual: row?.pid ?? 0 };
  } finally {
    session.release();
  }
};

/**
 * Returns whether a connection pooler is between this process and PostgreSQL. A pooler reports invented
 * process ids when a connection opens, because it chooses the PostgreSQL process later.
 */
export const hasPooler = async (sql: Sql): Promise<boolean> => {
  const { announced, actual } = await readProcessIds(sql);
  return announced !== actual;
};

/**
 * Returns whether `databaseUrl` leads to a pooler in transaction mode, which may assign another PostgreSQL
 * process to a connection after each transaction. Such a pooler is recognized by two open connections that
 * share a process, or by one connection that is served by several processes.
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
