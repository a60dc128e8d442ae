import postgres from 'postgres';
import { openDatabase, type Queryable, severConnections } from './database.ts';
import { redactDatabaseUrl } from './database-url.ts';
import type { ReplicationHeartbeat } from './replication-heartbeat.ts';
import { searchSettings } from './search-database.ts';

/** Maximum lag of a standby that serves searches, in ms. */
const maxLagMs = 5_000;
/** How long a standby may take to answer a probe, in ms. */
const defaultProbeTimeoutMs = 2_000;

/** A standby does not have what a search must see. */
class BehindError extends Error {}

/** A server that `DATABASE_READ_URL` names. */
export interface Standby {
  /** Host, port and database. */
  name: string;
  /** Asks the server for its state. Returns why it cannot be used; undefined when it can, or may be soon. */
  probe(): Promise<string | undefined>;
  /** Lag in ms at the last probe; undefined when the server could not be used. */
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
  if (error instanceof postgres.PostgresError) return `cannot be used: ${message}`;
  return `cannot be used (${code ?? name})`;
};

/** Opens the pool for searches on one server. */
export const openStandby = (
  url: string,
  {
    max,
    heartbeat,
    probeTimeoutMs = defaultProbeTimeoutMs,
  }: { max: number; heartbeat: ReplicationHeartbeat; probeTimeoutMs?: number | undefined },
): Standby => {
  const sql = openDatabase(url, { max, prepare: false });
  const probeSql = openDatabase(url, { max: 1, prepare: false, reconnectsAtOnce: true });
  const { writer } = heartbeat;
  let lagMs: number | undefined;

  const readState = async (): Promise<{ problem?: string; lag?: number }> => {
    const [state] = await probeSql<{ is_standby: boolean; beat: number | null }[]>`
      SELECT pg_is_in_recovery() AS is_standby,
        (SELECT beat FROM private.replication_heartbeats WHERE writer = ${writer}) AS beat`;
    if (!state?.is_standby) return { problem: 'is not a standby: it accepts writes' };
    // The standby may not have received the first heartbeat of this process yet.
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
      // A frozen server answers nothing. Its searches fail then, and run on the primary.
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
    run: async (work, required) => {
      const result = await sql.begin('read only', async (tx) => {
        // This statement must run before the search, so that its result holds for the search as well. It is sent at once,
        // and the search without waiting for its result.
        const state = tx<{ is_standby: boolean; beat: number | null }[]>`
          SELECT pg_is_in_recovery() AS is_standby,
            (SELECT beat FROM private.replication_heartbeats WHERE writer = ${writer}) AS beat,
            set_config('work_mem', ${searchSettings.work_mem}, true), set_config('jit', ${searchSettings.jit}, true)`.execute();
        const [[row], found] = await Promise.all([state, work(tx)]);
        const beat = row?.is_standby ? (row.beat ?? 0) : 0;
        if (beat < required || heartbeat.getLagMs(beat) >= maxLagMs) throw new BehindError();
        return found;
      });
      return result as never;
    },
    close: async () => {
      await Promise.all([sql.end({ timeout: 5 }), probeSql.end({ timeout: 1 })]);
    },
  };
};
