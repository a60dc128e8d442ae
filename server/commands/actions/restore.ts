import { join, resolve } from 'node:path';
import { readConfig } from '#server/config.ts';
import { readManifest, restoreBackup } from '#server/features/backup/public.ts';
import { openFiles } from '#server/start/open-files.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import { assertUsableDatabase } from '../../platform/postgres/database-check.ts';
import { startEmbeddedDatabase } from '../../platform/postgres/embedded-database.ts';
import { silentLog } from '../../platform/process/log.ts';
import { resolveFolder } from '../command.ts';
import { printLine } from '../printing.ts';

/** Restores the backup in a folder, with `trial` as a copy that notifies nobody. */
export const restore = async (
  name: string,
  { trial = false }: { trial?: boolean | undefined },
): Promise<void> => {
  const folder = resolveFolder(name);
  // Check the backup before creating a database for it.
  await readManifest(folder);
  const config = readConfig(process.env);
  const dataDir = resolve(config.dataDir);
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedDatabase({ dataDir, log: silentLog, bin: config.postgresBin });
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
        isTrial: trial,
      },
      folder,
    );
    await close();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    printLine(
      `Restored ${rows} rows and ${manifest.files.count} files of ${manifest.made_at}. Start with: ${trial ? 'QUAD_MAIL=off ' : ''}npm start`,
    );
  } finally {
    await sql.end({ timeout: 5 });
    await embedded?.stop();
  }
};
