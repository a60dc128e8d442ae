import { DatabaseError } from 'pg';
import { openDatabase, type Queryable, severConnections } from './database.ts';
import { redactDatabaseUrl } from './database-url.ts';
import type { ReplicationHeartbeat } from './replication-heartbeat.ts';
import { settingsForSearches } from './search-database.ts';

/** Maximum lag of a standby that serves searches, in ms. */
const maxLagMs = 5_000;
/** How long a standby may take to answer a probe, in ms. */
const defaultProbeTimeoutMs = 2_000;

/** Thrown when a standby has not yet replayed a change that the search must see. */
class BehindError extends Error {}

/** One of the servers listed in `QUAD_DATABASE_READ_URL`. */
export interface Standby {
  /** Host, port and database name, for log messages. */
  name: string;
  /**
   * Asks the server for its state. Returns the reason when the server cannot be used, or undefined when it
   * can be used or may still be starting to replicate.
   */
  probe(): Promise<string | undefined>;
  /** Lag in ms at the last probe, or undefined when the server could not be used. */
  lagMs(): number | undefined;
  /**
   * Runs the statements of a search in one read-only transaction. Rejects when the server has not replayed `required`,
   * is more than five seconds behind, or fails.
   */
  run<Result>(work: (sql: Queryable) => Promise<Result>, required: number): Promise<Result>;
  close(): Promise<void>;
}

const describeFailure = (error: unknown): string => {
  const { code, name, message } = error as Error & { code?: string };
  if (code === '42P01' || code === '3D000') return 'is not a standby of this database';
  if (error instanceof DatabaseError) return `cannot be used: ${message}`;
  return `cannot be used (${code ?? name})`;
};

/** Opens a connection pool for searches on one standby. */
export const openStandby = (
  url: string,
  {
    max,
    heartbeat,
    probeTimeoutMs = defaultProbeTimeoutMs,
  }: { max: number; heartbeat: ReplicationHeartbeat; probeTimeoutMs?: number | undefined },
): Standby => {
  const sql = openDatabase(url, { max, prepare: false });
  const probeSql = openDatabase(url, { max: 1, prepare: false });
  const { writer } = heartbeat;
  let lagMs: number | undefined;

  const readState = async (): Promise<{ problem?: string; lag?: number }> => {
    const [state] = await probeSql<{ is_standby: boolean; beat: number | null }[]>`
      SELECT pg_is_in_recovery() AS is_standby,
        (SELECT beat FROM private.replication_heartbeats WHERE writer = ${writer}) AS beat`;
    if (!state?.is_standby) return { problem: 'is not a standby: it accepts writes' };
    // A standby on which no heartbeat of this process is visible may not have received the first heartbeat
    // yet, so report no problem for now.
    if (state.beat === null && heartbeat.getLagMs(1) < maxLagMs) return {};
    if (state.beat === null)
      return { problem: 'has none of the latest changes; is it a standby of this database?' };
    const lag = heartbeat.getLagMs(state.beat);
    return lag < maxLagMs ? { lag } : { problem: 'is more than 5 seconds behind the primary' };
  };

  return {
    name: redactDatabaseUrl(url),
    lagMs: () => lagMs,
    probe: async () => {
      // A frozen server never responds. Close its connections after a timeout, so that its searches fail and
      // are repeated on the primary.
      const timer = setTimeout(() => {
        severConnections(probeSql);
        severConnections(sql);
      }, probeTimeoutMs);
      const failed = (error: unknown) => ({ problem: describeFailure(error), lag: undefined });
      const { problem, lag } = await readState().catch(failed);
      clearTimeout(timer);
      lagMs = lag;
      return problem;
    },
    run: (work, required) =>
      sql.begin(
        async (tx) => {
          // Send this statement before the search, so that the search sees at least the changes that this
          // statement found replayed. The search follows without waiting for the result.
          const state = tx<{ is_standby: boolean; beat: number | null }[]>`
            SELECT pg_is_in_recovery() AS is_standby,
              (SELECT beat FROM private.replication_heartbeats WHERE writer = ${writer}) AS beat,
              set_config('work_mem', ${settingsForSearches.work_mem}, true),
              set_config('jit', ${settingsForSearches.jit}, true)`;
          const [[row], found] = await Promise.all([state, work(tx)]);
          const beat = row?.is_standby ? (row.beat ?? 0) : 0;
          if (beat < required || heartbeat.getLagMs(beat) >= maxLagMs) throw new BehindError();
          return found;
        },
        { isReadOnly: true },
      ),
    close: async () => {
      await Promise.all([sql.end({ timeout: 5 }), probeSql.end({ timeout: 1 })]);
    },
  };
};
