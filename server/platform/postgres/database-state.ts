import type { Sql } from './database.ts';

/**
 * Returns the version of PostgreSQL, the number of connections to this database by state, and the numbers of committed and rolled-back
 * transactions.
 */
export const readDatabaseStatistics = async (
  sql: Sql,
): Promise<{
  version: string;
  connections: Record<string, number>;
  committed: number;
  rolledBack: number;
}> => {
  const states = await sql<{ state: string; count: number }[]>`
    SELECT coalesce(state, 'unknown') AS state, count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend' GROUP BY 1`;
  const [totals] = await sql<{ committed: number; rolled_back: number; version: string }[]>`
    SELECT xact_commit AS committed, xact_rollback AS rolled_back, current_setting('server_version') AS version
    FROM pg_stat_database WHERE datname = current_database()`;
  return {
    version: totals?.version ?? '',
    connections: Object.fromEntries(states.map(({ state, count }) => [state, count])),
    committed: totals?.committed ?? 0,
    rolledBack: totals?.rolled_back ?? 0,
  };
};
