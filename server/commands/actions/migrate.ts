import { readConfig } from '#server/config.ts';
import { assertCurrentSchema, migrateDatabase } from '../../platform/postgres/migrations.ts';
import { connectToDatabase } from '../command.ts';
import { printLine } from '../printing.ts';

/** Brings the schema of the configured database up to date. */
export const migrate = async (): Promise<void> => {
  const { url, sql, close } = await connectToDatabase(readConfig(process.env));
  try {
    const done = await migrateDatabase({ databaseUrl: url, log: { info: () => {} } });
    await assertCurrentSchema(sql);
    printLine(done.length === 0 ? 'The schema was up to date.' : `Migrated: ${done.join(', ')}`);
    printLine('Now restart the servers: a previous version does not start on this schema.');
  } finally {
    await close();
  }
};
