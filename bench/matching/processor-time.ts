import { readFileSync } from 'node:fs';
import type { Queryable } from '#server/platform/postgres/database.ts';

const readCpuMs = (pid: number | undefined): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return Number.NaN;
  }
};

/**
 * Returns a function that reads the CPU time (in ms) of the PostgreSQL process behind the only connection of
 * `sql`; NaN where the system does not report it. Unlike elapsed time, CPU time does not depend on what else
 * the machine does.
 */
export const createDatabaseCpuReader = async (sql: Queryable): Promise<() => number> => {
  const [row] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  return () => readCpuMs(row?.pid);
};

/** Returns the same for the processes behind all connections to the database of `sql` that are open now. */
export const createConnectionsCpuReader = async (sql: Queryable): Promise<() => number> => {
  const rows = await sql<{ pid: number }[]>`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'`;
  return () => rows.reduce((sum, { pid }) => sum + readCpuMs(pid), 0);
};
