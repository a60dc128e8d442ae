import { type Postgres, startPostgres } from '../support/postgres.ts';
import { type QuadServer, startQuad } from '../support/quad-server.ts';

/**
 * Two server processes of one deployment. They share a PostgreSQL server that the test can stop,
 * kill and freeze.
 */
export interface ServerPair {
  database: Postgres;
  first: QuadServer;
  second: QuadServer;
  stop(): Promise<void>;
}

export const startServerPair = async (): Promise<ServerPair> => {
  const database = await startPostgres();
  const first = await startQuad({ QUAD_DATABASE_URL: database.url });
  const second = await startQuad({
    QUAD_DATABASE_URL: database.url,
    QUAD_PUBLIC_URL: first.url,
    QUAD_DATA_DIR: first.dataDir,
    QUAD_SMTP_URL: first.mail.url,
  });
  return {
    database,
    first,
    second,
    stop: async () => {
      database.thaw();
      await second.stop();
      await first.stop();
      await database.close();
    },
  };
};
