import { type Postgres, startPostgres } from '../support/postgres.ts';
import { type Quad, startQuad } from '../support/quad.ts';

/** Two server processes of one deployment, on a PostgreSQL that the test controls. */
export interface Pair {
  database: Postgres;
  first: Quad;
  second: Quad;
  stop(): Promise<void>;
}

export const startPair = async (): Promise<Pair> => {
  const database = await startPostgres();
  const first = await startQuad({ DATABASE_URL: database.url });
  const second = await startQuad({
    DATABASE_URL: database.url,
    PUBLIC_URL: first.url,
    DATA_DIR: first.dataDir,
    SMTP_URL: first.mail.url,
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
