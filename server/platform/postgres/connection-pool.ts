import { Client, type ClientConfig, DatabaseError, type QueryConfig, type QueryResult } from 'pg';

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

const createClosedError = (cause?: unknown): ConnectionError =>
  new ConnectionError('CONNECTION_CLOSED', 'The connection to the database was lost', { cause });

/** Returns an error with a code as it is, such as that of a socket, and otherwise wraps it. */
const toConnectionError = (error: Error): Error => ('code' in error ? error : createClosedError(error));

const connectTimeoutMs = 5_000;
/** Connections are replaced after this time and up to as much again, because a server process never frees its caches. */
const minLifetimeMs = 30 * 60_000;

/**
 * Returns whether a prepared statement no longer fits the schema, or is unknown to the server. A new
 * connection prepares it again.
 */
export const isStaleStatementError = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.routine === 'RevalidateCachedQuery' || error.routine === 'FetchPreparedStatement');

/** An open connection of a pool. */
export interface Connection {
  readonly client: Client;
  /** Runs a statement. Statements that are sent without waiting for one another run in this order. */
  query(statement: Statement): Promise<QueryResult>;
  /** Closes the connection immediately, so that the pool does not use it again. */
  destroy(): void;
}

export interface ConnectionPool {
  /** Returns a connection that nobody else uses until it is released; waits while all of them are in use. */
  acquire(): Promise<Connection>;
  release(connection: Connection): void;
  /** Closes every connection immediately. Running and waiting calls fail; later ones open new connections. */
  sever(): void;
  /**
   * Closes the connections when the calls that have been made are done, or all of them immediately after `timeout`
   * seconds.
   */
  end(timeout?: number): Promise<void>;
}

/** A connection with what its pool needs to know. */
interface PooledConnection extends Connection {
  connect(): Promise<void>;
  isOpen: boolean;
  expiresAt: number;
}

const createConnection = (
  config: ClientConfig,
  {
    onStatement,
    onLost,
    onStale,
  }: {
    onStatement: ((statement: Statement) => void) | undefined;
    onLost(connection: PooledConnection): void;
    onStale(): void;
  },
): PooledConnection => {
  const client = new Client({ ...config, pipeline: true });
  let lost: Error | undefined;
  const destroy = (error: Error = createClosedError()): void => {
    if (lost) return;
    lost = toConnectionError(error);
    client.connection.stream.destroy();
    onLost(connection);
  };
  // The client reports a loss to the statements that wait for a result; this event also covers idle connections.
  client.on('error', destroy);
  client.once('connect', () => {
    connection.isOpen = true;
    client.once('end', () => destroy());
  });
  const connection: PooledConnection = {
    client,
    isOpen: false,
    expiresAt: performance.now() + minLifetimeMs * (1 + Math.random()),
    connect: async () => {
      const timeoutError = new ConnectionError('CONNECT_TIMEOUT', 'The database did not answer in time');
      const timer = setTimeout(destroy, connectTimeoutMs, timeoutError);
      try {
        await client.connect();
      } catch (error) {
        destroy(error as Error);
        throw lost;
      } finally {
        clearTimeout(timer);
      }
    },
    query: async (statement) => {
      if (lost) throw lost;
      onStatement?.(statement);
      try {
        return await client.query(statement as QueryConfig);
      } catch (error) {
        if (isStaleStatementError(error)) onStale();
        throw lost && !(error instanceof DatabaseError) ? lost : error;
      }
    },
    destroy: () => destroy(),
  };
  return connection;
};

/** Opens a pool of up to `max` connections, which are opened when they are needed. */
export const openPool = (
  config: ClientConfig,
  { max, onStatement }: { max: number; onStatement?: ((statement: Statement) => void) | undefined },
): ConnectionPool => {
  const connections = new Set<PooledConnection>();
  const idle: PooledConnection[] = [];
  const waiting: PromiseWithResolvers<Connection>[] = [];
  const ended = Promise.withResolvers<void>();
  let openingCount = 0;
  let isEnding = false;

  const rejectWaiting = (error: Error): void => {
    for (const { reject } of waiting.splice(0)) reject(error);
  };

  /** Opens connections for waiting calls, and closes idle ones when the pool is closed. */
  const adjust = (): void => {
    while (openingCount < waiting.length && connections.size < max) void open();
    if (!isEnding || waiting.length > 0) return;
    for (const connection of idle.splice(0)) void connection.client.end();
    if (connections.size === 0) ended.resolve();
  };

  const onLost = (connection: PooledConnection): void => {
    connections.delete(connection);
    if (idle.includes(connection)) idle.splice(idle.indexOf(connection), 1);
    if (connection.isOpen) adjust();
  };

  /** Replaces all connections by new ones, which prepare their statements again. */
  const onStale = (): void => {
    for (const connection of connections) connection.expiresAt = 0;
    for (const connection of idle.splice(0)) void connection.client.end();
  };

  const open = async (): Promise<void> => {
    openingCount += 1;
    const connection = createConnection(config, { onStatement, onLost, onStale });
    connections.add(connection);
    try {
      await connection.connect();
    } catch (error) {
      // Without any open connection, all waiting calls fail, because each would only wait for the same failure.
      if ([...connections].some(({ isOpen }) => isOpen)) return;
      rejectWaiting(error as Error);
      adjust();
      return;
    } finally {
      openingCount -= 1;
    }
    release(connection);
  };

  const release = (connection: PooledConnection): void => {
    if (!connections.has(connection)) return;
    if (performance.now() > connection.expiresAt) {
      void connection.client.end();
      return;
    }
    const next = waiting.shift();
    if (next) next.resolve(connection);
    else idle.push(connection);
    if (isEnding) adjust();
  };

  const sever = (): void => {
    rejectWaiting(createClosedError());
    for (const connection of [...connections]) connection.destroy();
  };

  return {
    acquire: async () => {
      if (isEnding) throw new ConnectionError('CONNECTION_ENDED', 'The connection pool was closed');
      const free = idle.pop();
      if (free) return free;
      const next = Promise.withResolvers<Connection>();
      waiting.push(next);
      adjust();
      return next.promise;
    },
    release: (connection) => release(connection as PooledConnection),
    sever,
    end: async (timeout) => {
      isEnding = true;
      adjust();
      const timer = timeout === undefined ? undefined : setTimeout(sever, timeout * 1000);
      await ended.promise;
      clearTimeout(timer);
    },
  };
};
