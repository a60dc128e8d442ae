import { once } from 'node:events';
import { Socket } from 'node:net';
import { DatabaseError } from 'pg';
import { toClientConfig } from './client-config.ts';
import { openPool } from './connection-pool.ts';
import { type DatabaseHost, formatDatabaseHost, parseDatabaseUrl } from './database-url.ts';

/** How long a server may take to say whether it is the primary, in ms. */
const probeTimeoutMs = 2_000;
/** How long a search that has found a primary still waits for the other servers' replies, in ms. */
const graceMs = 250;
/** How long opening a TCP connection to the primary may take, in ms. */
const connectTimeoutMs = 3_000;
/**
 * How long the result of a search for the primary is used for new connections, in ms. `watchPrimary` searches
 * every second. Where it is not running, an older result could name a former primary that was started again.
 */
const maxResultAgeMs = 2_000;
/** How long the connections to the probed servers stay open without use, in ms. */
const idleTimeoutMs = 2_000;

/** The problem that a probe reports for a standby. */
const readOnlyProblem = 'is read-only';

/**
 * Thrown when no primary was found, or when the server in use is no longer the primary. `isUnavailableError`
 * returns true for this error.
 */
export class NoPrimaryError extends Error {
  readonly code = 'NO_PRIMARY';
}

interface ProbeResult {
  host: DatabaseHost;
  /**
   * Number of the server's timeline, which each promotion increases. It is undefined unless the server is a
   * primary.
   */
  timeline?: number;
  /** Why the server cannot be used, or undefined if it can. */
  problem?: string;
  /** PostgreSQL's error when it refused the connection, for example because of a wrong password. */
  refusal?: Error;
}

/** Finds the primary among the servers of one connection string. */
export interface PrimaryLocator {
  /**
   * Connects `socket` to the primary. Rejects with a `NoPrimaryError` when there is none, with PostgreSQL's error when
   * every reachable server refuses the login, and with a network error otherwise.
   */
  connect(socket: Socket): Promise<void>;
  /**
   * Searches for the primary again. When another server has become the primary, destroys all connections to the
   * previous one, so that nothing more is written to it. Returns the primary, or undefined when there is none.
   */
  refresh(): Promise<DatabaseHost | undefined>;
  /**
   * Returns every server with its problem, according to the latest finished probe; the problem is undefined
   * for the current primary and its standbys.
   */
  listProblems(): { host: DatabaseHost; problem: string | undefined }[];
}

/** The `connect` method of Socket itself, which subclasses may override. */
const connectTcp: (this: Socket, port: number, host: string) => Socket = Socket.prototype.connect;

const isSameHost = (one: DatabaseHost | undefined, other: DatabaseHost | undefined): boolean =>
  one?.host === other?.host && one?.port === other?.port;

// The first eight digits of a write-ahead log file's name are its timeline.
const probeText = `
  SELECT current_setting('transaction_read_only') = 'on' AS is_read_only,
    CASE WHEN NOT pg_is_in_recovery()
      THEN ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int END AS timeline`;

const createProbe = (databaseUrl: string, host: DatabaseHost) => {
  const pool = openPool({ ...toClientConfig(databaseUrl), ...host }, { max: 1 });
  let idleTimer: NodeJS.Timeout | undefined;

  const ask = async (): Promise<ProbeResult> => {
    const connection = await pool.acquire();
    const { rows } = await connection.query({ text: probeText }).finally(() => connection.release());
    const [state] = rows as { is_read_only: boolean; timeline: number | null }[];
    if (!state || state.is_read_only || state.timeline === null) return { host, problem: readOnlyProblem };
    return { host, timeline: state.timeline };
  };
  return async (): Promise<ProbeResult> => {
    clearTimeout(idleTimer);
    const timer = setTimeout(pool.sever, probeTimeoutMs);
    try {
      return await ask();
    } catch (error) {
      const { code, name } = error as Error & { code?: string };
      const refusal = error instanceof DatabaseError ? { refusal: error } : {};
      return { host, problem: `cannot be used (${code ?? name})`, ...refusal };
    } finally {
      clearTimeout(timer);
      idleTimer = setTimeout(pool.sever, idleTimeoutMs).unref();
    }
  };
};

/** What a locator knows about the servers and the connections to them. */
interface LocatorState {
  readonly hosts: readonly DatabaseHost[];
  readonly probes: readonly (() => Promise<ProbeResult>)[];
  readonly sockets: Map<Socket, DatabaseHost>;
  readonly lastResults: Map<DatabaseHost, ProbeResult>;
  primary: DatabaseHost | undefined;
  /** When the search began that found the primary, on the monotonic clock in ms. */
  foundAt: number;
  searching: Promise<DatabaseHost> | undefined;
  highestTimeline: number;
}

const closeConnectionsToOthers = ({ sockets }: LocatorState, host: DatabaseHost): void => {
  for (const [socket, connected] of sockets)
    if (!isSameHost(connected, host))
      socket.destroy(new NoPrimaryError('another server has become the primary'));
};

/**
 * Records the result of a probe. A new primary may reply after the search that probed it has ended; this
 * late result still replaces the previous primary.
 */
const recordResult = (state: LocatorState, result: ProbeResult): void => {
  state.lastResults.set(result.host, result);
  if (result.timeline === undefined || result.timeline <= state.highestTimeline) return;
  state.highestTimeline = result.timeline;
  if (state.primary) state.primary = result.host;
  closeConnectionsToOthers(state, result.host);
};

/** Returns the primary according to the results of a search. Throws when there is none. */
const judgeResults = (results: readonly ProbeResult[], highestTimeline: number): DatabaseHost => {
  // A server that still accepts writes on an earlier timeline was the primary before a failover.
  const found = results.find(({ timeline }) => timeline === highestTimeline && timeline > 0);
  if (found) return found.host;
  const refusals = results.filter(({ refusal }) => refusal);
  const reachable = results.filter(({ problem, refusal }) => refusal || problem === readOnlyProblem);
  if (refusals[0]?.refusal && refusals.length === reachable.length) throw refusals[0].refusal;
  const reasons = results.map(
    ({ host, timeline, problem }) =>
      `${formatDatabaseHost(host)} ${timeline ? 'is a former primary' : problem}`,
  );
  throw new NoPrimaryError(`none of the servers is a primary: ${reasons.join(', ')}`);
};

const search = async (state: LocatorState): Promise<DatabaseHost> => {
  const results: ProbeResult[] = [];
  const { promise: grace, resolve: endGrace } = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const all = Promise.all(
    state.probes.map(async (probe) => {
      const result = await probe();
      results.push(result);
      recordResult(state, result);
      if (result.timeline === state.highestTimeline) timer ??= setTimeout(endGrace, graceMs);
    }),
  );
  await Promise.race([all, grace]);
  clearTimeout(timer);
  // If a late reply to an earlier search has revealed a newer timeline, all servers that replied in time
  // may be former primaries. In that case, wait for the other servers.
  if (!results.some(({ timeline }) => timeline === state.highestTimeline)) await all;
  // Pass the results in the order of the connection string, because error messages list them in this order.
  const inOrder = state.hosts.flatMap((host) => results.find((it) => it.host === host) ?? []);
  return judgeResults(inOrder, state.highestTimeline);
};

const searchOnce = (state: LocatorState): Promise<DatabaseHost> => {
  const startedAt = performance.now();
  state.searching ??= search(state)
    .then((host) => {
      state.foundAt = startedAt;
      return host;
    })
    .finally(() => {
      state.searching = undefined;
    });
  return state.searching;
};

const connect = async (state: LocatorState, socket: Socket): Promise<void> => {
  if (performance.now() - state.foundAt > maxResultAgeMs) state.primary = undefined;
  state.primary ??= await searchOnce(state);
  // Connecting a destroyed socket would open it again.
  if (socket.destroyed) return;
  const host = state.primary;
  state.sockets.set(socket, host);
  // Forget the primary when the connection is lost, because this may be when the server ceased to be the primary.
  const forgetPrimary = () => {
    if (isSameHost(state.primary, host)) state.primary = undefined;
  };
  socket.once('close', () => {
    state.sockets.delete(socket);
    forgetPrimary();
  });
  const giveUp = () =>
    socket.destroy(Object.assign(new Error('The connection timed out'), { code: 'ETIMEDOUT' }));
  const timer = setTimeout(giveUp, connectTimeoutMs);
  try {
    connectTcp.call(socket, host.port, host.host);
    await once(socket, 'connect');
  } catch (error) {
    forgetPrimary();
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

const refresh = async (state: LocatorState): Promise<DatabaseHost | undefined> => {
  state.primary = await searchOnce(state).catch(() => undefined);
  if (state.primary) closeConnectionsToOthers(state, state.primary);
  return state.primary;
};

const listProblems = ({ lastResults, highestTimeline }: LocatorState) =>
  [...lastResults.values()].map(({ host, timeline, problem }) => {
    if (timeline !== undefined && timeline < highestTimeline)
      return { host, problem: 'is a former primary that still accepts writes; it is not used' };
    return { host, problem: problem === readOnlyProblem ? undefined : problem };
  });

const createPrimaryLocator = (databaseUrl: string, hosts: readonly DatabaseHost[]): PrimaryLocator => {
  const state: LocatorState = {
    hosts,
    probes: hosts.map((host) => createProbe(databaseUrl, host)),
    sockets: new Map(),
    lastResults: new Map(),
    primary: undefined,
    foundAt: 0,
    searching: undefined,
    highestTimeline: 0,
  };
  return {
    connect: (socket) => connect(state, socket),
    refresh: () => refresh(state),
    listProblems: () => listProblems(state),
  };
};

const locators = new Map<string, PrimaryLocator>();

/** Returns this process's locator for a connection string, or undefined if it does not ask for a primary. */
export const getPrimaryLocator = (databaseUrl: string): PrimaryLocator | undefined => {
  const connection = parseDatabaseUrl(databaseUrl);
  if (!connection.needsPrimary) return undefined;
  const locator = locators.get(databaseUrl) ?? createPrimaryLocator(databaseUrl, connection.hosts);
  locators.set(databaseUrl, locator);
  return locator;
};
