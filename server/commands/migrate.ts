import { assertCurrentSchema, migrateDatabase } from '../platform/postgres/migrations.ts';
import { connectToDatabase, printLine, runCommand, UsageError } from './command.ts';

const usage =
  'Usage: npm run migrate   (brings the schema up to date beside the running servers of the previous version)';

await runCommand(async (config, args) => {
  if (args.length > 0) throw new UsageError(usage);
  const { url, sql, close } = await connectToDatabase(config);
  try {
    const done = await migrateDatabase({ databaseUrl: url, log: { info: () => {} } });
    await assertCurrentSchema(sql);
    printLine(done.length === 0 ? 'The schema was up to date.' : `Migrated: ${done.join(', ')}`);
    printLine('Now restart the servers: a previous version does not start on this schema.');
  } finally {
    await close();
  }
});
