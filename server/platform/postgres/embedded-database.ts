import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#server/platform/process/log.ts';
import { openDatabase } from './database.ts';
import {
  createSocketFolder,
  embeddedPort,
  embeddedRole,
  findOrCreateCluster,
  type PostgresCluster,
} from './embedded-cluster.ts';
import {
  findPostmaster,
  launchPostmaster,
  type Postmaster,
  readLogTail,
  stopPostmaster,
} from './postmaster.ts';
import { identifier } from './sql-fragments.ts';

interface EmbeddedDatabaseOptions {
  /** The installation's data folder; the database is in its subfolder `database`. */
  dataDir: string;
  log: Pick<Log, 'info' | 'warn'>;
  /** Folder with the programs of PostgreSQL. By default, those of the package are used. */
  bin?: string | undefined;
  /**
   * PostgreSQL settings that override the defaults; the keys are the names used in
   * `postgresql.conf`.
   */
  settings?: Record<string, string>;
}

export interface EmbeddedDatabase {
  /** Connection string of the application's database. It stays valid when the server is restarted. */
  url: string;
  /** Whether the server was already running because the process that started it was killed. */
  adopted: boolean;
  /** Stops the server. Open sessions are closed; everything committed is on disk. */
  stop(): Promise<void>;
}

const databaseName = 'quad';
const startTimeoutMs = 60_000;
const relaunchTimeoutMs = 10_000;
const otherSupervisorTimeoutMs = 3_000;
/** Id of the advisory lock that the supervising process holds: arbitrary, but the same in every version of Quad. */
const supervisorLockId = 7_100_518_274;

const defaultPostgresSettings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '200',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Log only problems of the server itself, because statements and values may contain personal data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
};

/**
 * Returns the connection string of the application's database on an embedded server, by its socket or else by the
 * loopback address.
 */
export const buildEmbeddedDatabaseUrl = ({
  port,
  socketFolder,
  password,
  database = databaseName,
}: {
  port: number;
  socketFolder?: string | undefined;
  password: string;
  database?: string;
}): string => {
  const host = socketFolder === undefined ? '127.0.0.1' : encodeURIComponent(socketFolder);
  return `postgres://${embeddedRole}:${password}@${host}:${port}/${database}`;
};

/**
 * Returns the settings that decide how the server is reached: by its socket only, unless `settings` name an address. Node
 * supports no Unix sockets on Windows.
 */
const chooseAddress = (
  { listen_addresses: given }: Record<string, string>,
  { socketFolder }: PostgresCluster,
): Record<string, string> => {
  const address = given ?? (process.platform === 'win32' ? '127.0.0.1' : '');
  return { listen_addresses: address, unix_socket_directories: address ? '' : socketFolder };
};

/**
 * Starts the embedded PostgreSQL server of this installation and keeps it running until `stop()`.
 *
 * - The first start creates the database. If a process was killed and its server is still running,
 *   that server is adopted.
 * - The server listens on a Unix socket only, with a random password stored next to the database.
 * - The server keeps running when this process is killed. When the server itself dies, it is
 *   restarted at the same address; queries fail in the meantime.
 * - Only one process at a time supervises the server: it holds an advisory lock in a database
 *   session for as long as it runs. A second process on the same folder fails with a clear error
 *   after three seconds and changes nothing.
 *
 * Throws when this machine cannot run PostgreSQL, when the server does not start, or when another
 * process supervises it.
 */
export const startEmbeddedDatabase = async (options: EmbeddedDatabaseOptions): Promise<EmbeddedDatabase> => {
  const { settings: given = {} } = options;
  const cluster = await findOrCreateCluster(options.dataDir, {
    sync: given.fsync !== 'off',
    bin: options.bin,
  });
  const settings = { ...defaultPostgresSettings, ...given, ...chooseAddress(given, cluster) };
  const stopController = new AbortController();
  const acquire = (port?: number) =>
    acquireServer({
      cluster,
      settings,
      port,
      dataDir: options.dataDir,
      signal: stopController.signal,
      onLost,
    });

  let acquired = await acquire();
  const { adopted, port, socketFolder, password } = acquired;
  let recovery = Promise.resolve();

  function onLost(): void {
    if (!stopController.signal.aborted) recovery = recover();
  }

  async function recover(): Promise<void> {
    options.log.warn('the built-in database has ended; starting it again');
    while (!stopController.signal.aborted) {
      try {
        acquired = await acquire(port);
        options.log.info('the built-in database is back');
        return;
      } catch (error) {
        if (stopController.signal.aborted) return;
        options.log.warn(`the built-in database is still down: ${getErrorMessage(error)}`);
        await delay(1_000, undefined, { signal: stopController.signal }).catch(() => undefined);
      }
    }
  }

  return {
    url: buildEmbeddedDatabaseUrl({ port, socketFolder, password }),
    adopted,
    async stop() {
      stopController.abort();
      await recovery;
      // Release the supervisor lock only after the server has stopped, so that no other process
      // adopts a server that is stopping.
      await stopPostmaster(cluster.folder);
      await acquired.release();
    },
  };
};

interface AcquireServerOptions {
  cluster: PostgresCluster;
  settings: Record<string, string>;
  /** The required port, or undefined for any free port. */
  port: number | undefined;
  dataDir: string;
  signal: AbortSignal;
  onLost(): void;
}

interface AcquiredServer {
  port: number;
  socketFolder: string | undefined;
  password: string;
  adopted: boolean;
  release(): Promise<void>;
}

/** Starts or adopts a server and becomes its supervisor. */
const acquireServer = async (options: AcquireServerOptions): Promise<AcquiredServer> => {
  const password = readFileSync(options.cluster.passwordFile, 'utf8').trim();
  const startedAt = performance.now();
  const socketFolder = options.settings.unix_socket_directories || undefined;
  let isSupervisor = false;
  const onLost = () => {
    if (isSupervisor) options.onLost();
  };
  for (;;) {
    const { server, launched } = await ensureServerReady(options);
    const attempt = await acquireSupervisorLock(server, password, onLost);
    if ('release' in attempt) {
      const isRightPort = options.port === undefined || options.port === server.port;
      if (isRightPort && server.socketFolder === socketFolder) {
        isSupervisor = true;
        return { port: server.port, socketFolder, password, adopted: !launched, release: attempt.release };
      }
      // Another process started the server at a different address. Restart it, because the connection strings in
      // use contain the required one, and because earlier versions of Quad opened a TCP port.
      await stopPostmaster(options.cluster.folder);
      await attempt.release();
    }
    const waited = performance.now() - startedAt;
    if ('owner' in attempt && waited > otherSupervisorTimeoutMs) {
      throw new Error(
        `Another Quad (${attempt.owner}) is running on ${options.dataDir}. ` +
          'Stop it, or give this one a QUAD_DATA_DIR and a PORT of its own.',
      );
    }
    if ('error' in attempt && waited > startTimeoutMs) throw attempt.error;
    await delay(50, undefined, { signal: options.signal });
  }
};

const ensureServerReady = async (
  options: AcquireServerOptions,
): Promise<{ server: Postmaster; launched: boolean }> => {
  const { cluster, settings, signal } = options;
  const startedAt = performance.now();
  let hasEnded: (() => boolean) | undefined;
  for (;;) {
    const server = findPostmaster(cluster.folder);
    if (server?.status === 'ready') return { server, launched: hasEnded !== undefined };
    const waited = performance.now() - startedAt;
    if (!server && (hasEnded === undefined || hasEnded())) {
      // Start the server again: it may have exited because the port was taken in the meantime, or because
      // some sessions of a killed server are still running. Both problems are temporary.
      if (hasEnded && waited > relaunchTimeoutMs) throw createStartError(cluster);
      if (hasEnded) await delay(200, undefined, { signal });
      if (settings.unix_socket_directories) createSocketFolder(cluster);
      const port = options.port ?? (settings.unix_socket_directories ? embeddedPort : await findFreePort());
      hasEnded = launchPostmaster({ ...cluster, cluster: cluster.folder, settings }, port);
    }
    if (waited > startTimeoutMs) throw createStartError(cluster);
    await delay(10, undefined, { signal });
  }
};

const createStartError = (cluster: PostgresCluster): Error =>
  new Error(
    `The built-in database does not start. The end of ${cluster.logFile}:\n${readLogTail(cluster.logFile)}`,
  );

type SupervisionAttempt = { release(): Promise<void> } | { owner: string } | { error: unknown };

/** Acquires the supervisor lock in a database session that stays open as long as this process runs. */
const acquireSupervisorLock = async (
  { port, socketFolder }: Postmaster,
  password: string,
  onLost: () => void,
): Promise<SupervisionAttempt> => {
  let isHeld = false;
  const url = buildEmbeddedDatabaseUrl({ port, socketFolder, password, database: 'postgres' });
  const sql = openDatabase(url, { max: 1, settings: { application_name: `process ${process.pid}` } });
  const close = async () => {
    isHeld = false;
    await sql.end({ timeout: 0 });
  };
  try {
    const session = await sql.reserve();
    session.client.once('end', () => {
      if (!isHeld) return;
      void close();
      onLost();
    });
    const [lock] = await session`select pg_try_advisory_lock(${supervisorLockId}::bigint) as granted`;
    if (!lock?.granted) {
      const [holder] = await session`
        select application_name from pg_stat_activity join pg_locks using (pid)
        where locktype = 'advisory' and granted and ((classid::bigint << 32) | objid::bigint) = ${supervisorLockId}::bigint`;
      await close();
      return { owner: String(holder?.application_name ?? 'a process that is just ending') };
    }
    const [existing] = await session`select from pg_database where datname = ${databaseName}`;
    if (!existing) await session`create database ${identifier(databaseName)}`;
    isHeld = true;
    return { release: close };
  } catch (error) {
    await close();
    return { error };
  }
};

const findFreePort = async (): Promise<number> => {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => probe.once('error', reject).listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string')
    throw new Error('No free port on the loopback address.');
  return address.port;
};

const getErrorMessage = (error: unknown): string => (error instanceof Error ? error.message : String(error));
