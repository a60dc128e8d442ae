import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Sql } from '#server/platform/postgres/database.ts';
import { startEmbeddedDatabase } from '#server/platform/postgres/embedded-database.ts';
import { migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { type SpawnedServer, spawnServer } from './spawn-server.ts';

/**
 * Creates a database for a benchmark and fills it with `seed`. Returns functions that start servers which use
 * the database, and the function `close`, which stops these servers and removes all data.
 */
export const openBenchEnvironment = async <Seeded>(seed: (sql: Sql) => Promise<Seeded>) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'quad-bench-'));
  const database = await startEmbeddedDatabase({ dataDir: join(dataDir, 'database'), log: silentLog });
  const databaseUrl = database.url;
  const startedServers: SpawnedServer[] = [];
  const close = async (): Promise<void> => {
    for (const server of startedServers.splice(0).reverse()) await server.stop();
    await database.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  const spawn = async (...settings: Parameters<typeof spawnServer>): Promise<SpawnedServer> => {
    const server = await spawnServer(...settings);
    startedServers.push(server);
    return server;
  };

  try {
    await migrateDatabase({ databaseUrl, log: silentLog });
    const sql = openDatabase(databaseUrl, { max: 2 });
    const seeded = await seed(sql);
    await sql.end();
    return {
      seeded,
      databaseUrl,
      /** Starts the baseline server that Quad is compared with. */
      spawnBaseline: (script: string, args: string[]) => spawn(script, { env: {}, args, ready: '/' }),
      spawnQuad: (env: Record<string, string> = {}) =>
        spawn('server/main.ts', {
          env: { QUAD_DATABASE_URL: databaseUrl, QUAD_DATA_DIR: join(dataDir, 'quad'), ...env },
          ready: '/readyz',
        }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
