import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '#server/platform/process/log.ts';
import { findOrCreateCluster } from './embedded-cluster.ts';
import { buildEmbeddedDatabaseUrl, startEmbeddedDatabase } from './embedded-database.ts';
import { findPostmaster } from './postmaster.ts';

export interface EmbeddedConnection {
  url: string;
  /** Stops the database, but only if opening this connection started it. */
  close(): Promise<void>;
}

/**
 * Connects to the embedded PostgreSQL of `dataDir`. If it is not running, starts it, and `close` then stops
 * it. Throws when `dataDir` contains no database.
 */
export const connectToEmbeddedDatabase = async (options: {
  dataDir: string;
  log: Pick<Log, 'info' | 'warn'>;
  bin?: string | undefined;
}): Promise<EmbeddedConnection> => {
  if (!existsSync(join(options.dataDir, 'database'))) {
    throw new Error(
      `There is no database in QUAD_DATA_DIR ${options.dataDir}: nothing was ever started there.`,
    );
  }
  const cluster = await findOrCreateCluster(options.dataDir, { sync: true, bin: options.bin });
  const server = findPostmaster(cluster.folder);
  if (server?.status === 'ready') {
    const password = readFileSync(cluster.passwordFile, 'utf8').trim();
    return { url: buildEmbeddedDatabaseUrl({ ...server, password }), close: async () => {} };
  }
  const { url, stop } = await startEmbeddedDatabase(options);
  return { url, close: stop };
};
