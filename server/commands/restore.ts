import { join, resolve } from 'node:path';
import { readManifest, restoreBackup } from '#server/features/backup/public.ts';
import { openFiles } from '#server/start/open-files.ts';
import { openDatabase } from '../platform/postgres/database.ts';
import { assertUsableDatabase } from '../platform/postgres/database-check.ts';
import { startEmbeddedDatabase } from '../platform/postgres/embedded-database.ts';
import { silentLog } from '../platform/process/log.ts';
import { printLine, resolveFolder, runCommand, UsageError } from './command.ts';

const usage = `Usage: npm run restore -- folder [--trial]   (into an empty database, store and QUAD_DATA_DIR)
  --trial   a copy to try the backup: without push subscriptions, so that it notifies nobody`;

await runCommand(async (config, args) => {
  const isTrial = args.includes('--trial');
  const [name, ...rest] = args.filter((argument) => argument !== '--trial');
  if (rest.length > 0 || name === undefined || name.startsWith('-')) throw new UsageError(usage);
  const folder = resolveFolder(name);
  // Check the backup before creating a database for it.
  await readManifest(folder);
  const dataDir = resolve(config.dataDir);
  const embedded = config.databaseUrl ? undefined : await startEmbeddedDatabase({ dataDir, log: silentLog });
  const databaseUrl = config.directDatabaseUrl ?? config.databaseUrl ?? embedded?.url ?? '';
  const sql = openDatabase(databaseUrl, { max: 3 });
  try {
    await assertUsableDatabase(sql, databaseUrl);
    const { files, check, close } = await openFiles(config);
    await check();
    const manifest = await restoreBackup(
      {
        databaseUrl,
        sql,
        files,
        secretsFile: join(dataDir, 'secrets.json'),
        isTrial,
      },
      folder,
    );
    await close();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    printLine(
      `Restored ${rows} rows and ${manifest.files.count} files of ${manifest.made_at}. Start with: ${isTrial ? 'QUAD_MAIL=off ' : ''}npm start`,
    );
  } finally {
    await sql.end({ timeout: 5 });
    await embedded?.stop();
  }
});
