import { connectToDatabase } from '#server/commands/command.ts';
import { readConfig } from '#server/config.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { QuadServer } from './quad-server.ts';

/** Runs SQL statements on a server's database, for example to move times into the past instead of waiting. */
export const updateTestDatabase = async (
  { dataDir }: QuadServer,
  change: (sql: Sql) => Promise<unknown>,
): Promise<void> => {
  const { sql, close } = await connectToDatabase(readConfig({ NODE_ENV: 'test', QUAD_DATA_DIR: dataDir }));
  try {
    await change(sql);
  } finally {
    await close();
  }
};
