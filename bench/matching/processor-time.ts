import { readFileSync } from 'node:fs';
import type { Queryable } from '#server/platform/postgres/database.ts';

/**
 * Returns a function that reads the CPU time (in ms) of the PostgreSQL process behind the only connection of
 * `sql`; NaN where the system does not report it. Unlike elapsed time, CPU time does not depend on what else
 * the machine does.
 */
export const createDatabaseCpuReader = async (sql: Queryable): Promise<() => number> => {
  const [row] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return () => {
    try {
      return Number(readFileSync(`/proc/${row?.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      return Number.NaN;
    }
  };
};
