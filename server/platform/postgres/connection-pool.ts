import {
  Client,
  type ClientConfig,
  DatabaseError,
  Pool,
  type PoolClient,
  type QueryConfig,
  type QueryResult,
} from 'pg';
import { findTraceContext, isTracing, runInSpan } from '#server/platform/process/tracing.ts';

/** A statement with its parameters. Statements with a name are prepared once for each connection. */
export interface Statement {
  text: string;
  values?: unknown[] | undefined;
  name?: string | undefined;
}

/** An error of the connection itself. `isUnavailableError` returns true for it. */
export class ConnectionError extends Error {
  readonly code: 'CONNECTION_CLOSED' | 'CONNECTION_ENDED' | 'CONNECT_TIMEOUT';

  constructor(code: ConnectionError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** How long opening a connection may take, in ms. */
const connectTimeoutMs = 5_000;
/** Connections are replaced after this time and up to as much again, because a server process never frees its caches. */
const minLifetimeSeconds = 30 * 60;

const createClosedError = (options?: ErrorOptions): ConnectionError =>
  new ConnectionError('CONNECTION_CLOSED', 'The connection to the database was lost', options);

/** Returns an error with a code as it is, such as that of a socket; wraps those without one, which the driver creates. */
const toConnectionError = (error: Error): Error => {
  if ('code' in error) return error;
  return error.message.includes('timeout')
    ? new ConnectionError('CONNECT_TIMEOUT', 'The database did not answer in time', { cause: error })
    : createClosedError({ cause: error });
};

/**
 * Returns whether a prepared statement no longer fits the schema, or is unknown to the server. A new
 * connection prepares it again.
 */
export const isStaleStatementError = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.routine === 'RevalidateCachedQuery' || error.routine === 'FetchPreparedStatement');

/**
 * Runs a statement with a callback, because a promise of the driver keeps the rows of all earlier ones in memory until
 * the next full garbage collection.
 */
const runQuery = (client: Client, statement: Statement): Promise<QueryResult> =>
  new Promise((resolve, reject) => {
    client.query(statement as QueryConfig, (error, result) => (error ? reject(error) : resolve(result)));
  });

/** Records a statement on behalf of a request or a job in a span, without the values of its parameters. */
const runRecorded = <Result>({ text }: Statement, run: () => Promise<Result>): Promise<Result> => {
  if (!findTraceContext()) return run();
  const operation = /\w+/.exec(text)?.[0].toUpperCase() ?? 'SQL';
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    'db.query.text': text,
  };
  return runInSpan({ name: operation, kind: 'client', attributes }, run);
};

/** A connection that nobody else uses until it is released. */
export interface Connection {
  readonly client: Client;
  /** Runs a statement. Statements that are sent without waiting for one another run in this order. */
  query(statement: Statement): Promise<QueryResult>;
  /** Gives the connection back to the pool. */
  release(): void;
}

export interface ConnectionPool {
  /** Takes a connection; waits while all of them are in use. */
  acquire(): Promise<Connection>;
  /** Opens a connection beside those of the pool, which `end` closes even while it is in use. */
  connect(): Promise<Connection>;
  /** Closes every connection immediately. Running calls fail; later ones open new connections. */
  sever(): void;
  /** Closes the connections when the calls that have been made are done, or all of them after `timeout` seconds. */
  end(timeout?: number): Promise<void>;
}

/** Opens a pool of up to `max` connections, which are opened when they are needed. */
export const openPool = (
  config: ClientConfig,
  { max, onStatement }: { max: number; onStatement?: ((statement: Statement) => void) | undefined },
): ConnectionPool => {
  const clients = new Set<TrackedClient>();
  const waiting = new Set<(error: Error) => void>();
  let callCount = 0;
  let staleBefore = 0;
  let ended: Promise<void> | undefined;
  const { promise: callsEnded, resolve: endCalls } = Promise.withResolvers<void>();

  /** A client that is known as long as it is connected, and knows why it lost its connection. */
  class TrackedClient extends Client {
    readonly openedAt = performance.now();
    lost: Error | undefined;

    constructor() {
      super({ ...config, pipeline: true, connectionTimeoutMillis: connectTimeoutMs });
      clients.add(this);
      this.on('error', (error) => {
        this.lost ??= toConnectionError(error);
      });
      this.once('end', () => clients.delete(this));
    }
  }
  type PooledClient = TrackedClient & PoolClient;
  const pool = new Pool({
    max,
    Client: TrackedClient,
    idleTimeoutMillis: 0,
    maxLifetimeSeconds: minLifetimeSeconds * (1 + Math.random()),
  });
  // The pool removes an idle connection that was lost, so nothing remains to be done.
  pool.on('error', () => {});

  const toConnection = (client: TrackedClient, release: () => void): Connection => ({
    client,
    query: async (statement) => {
      if (client.lost) throw client.lost;
      onStatement?.(statement);
      try {
        return await (isTracing()
          ? runRecorded(statement, () => runQuery(client, statement))
          : runQuery(client, statement));
      } catch (error) {
        if (isStaleStatementError(error)) staleBefore = performance.now();
        throw client.lost && !(error instanceof DatabaseError) ? client.lost : error;
      }
    },
    release,
  });

  /** Takes a client from the pool; fails when the connections are severed meanwhile. */
  const takeClient = (): Promise<PooledClient> =>
    new Promise((resolve, reject) => {
      waiting.add(reject);
      pool.connect((error, client) => {
        const isWaiting = waiting.delete(reject);
        if (error) reject(toConnectionError(error));
        else if (isWaiting) resolve(client as PooledClient);
        else client?.release();
      });
    });
  const endCall = (): void => {
    callCount -= 1;
    if (ended && callCount === 0) endCalls();
  };
  const acquire = async (): Promise<Connection> => {
    if (ended) throw new ConnectionError('CONNECTION_ENDED', 'The connection pool was closed');
    callCount += 1;
    try {
      let client = await takeClient();
      // Replace lost connections, and those that may have prepared statements before the schema changed.
      while (client.lost || client.openedAt < staleBefore) {
        client.release(true);
        client = await takeClient();
      }
      let isReleased = false;
      const giveBack = (isBroken: boolean) => {
        if (!isReleased) client.release(isBroken);
        isReleased = true;
      };
      // A lost connection makes room for another one immediately, and not when its user releases it.
      const remove = () => giveBack(true);
      client.once('error', remove);
      return toConnection(client, () => {
        client.off('error', remove);
        // A connection on which a transaction did not end must not be used again.
        giveBack(client.lost !== undefined || client.getTransactionStatus() !== 'I');
        endCall();
      });
    } catch (error) {
      endCall();
      throw error;
    }
  };

  const sever = (): void => {
    const error = createClosedError();
    for (const reject of waiting) reject(error);
    waiting.clear();
    for (const client of clients) {
      client.lost ??= error;
      client.connection.stream.destroy();
    }
  };
  const endPool = async (timeout: number | undefined): Promise<void> => {
    const giveUp = () => {
      endCalls();
      sever();
    };
    const timer = timeout === undefined ? undefined : setTimeout(giveUp, timeout * 1000);
    if (callCount === 0) endCalls();
    await callsEnded;
    const closed = [...clients].map((client) => new Promise((resolve) => client.once('end', resolve)));
    for (const client of clients) void client.end();
    await Promise.all(closed);
    clearTimeout(timer);
  };

  return {
    acquire,
    connect: async () => {
      const client = new TrackedClient();
      await client.connect().catch((error: Error) => {
        throw toConnectionError(error);
      });
      return toConnection(client, () => client.connection.stream.destroy());
    },
    sever,
    end: (timeout) => {
      ended ??= endPool(timeout);
      return ended;
    },
  };
};
