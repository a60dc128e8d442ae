import { join, resolve } from 'node:path';
import { readConfig } from '#server/config.ts';
import { makeBackup } from '#server/features/backup/public.ts';
import { openFiles } from '#server/start/open-files.ts';
import { systemClock } from '../../platform/clock.ts';
import { assertSchemaNotNewer } from '../../platform/postgres/migrations.ts';
import { connectToDatabase, resolveFolder } from '../command.ts';
import { printLine } from '../printing.ts';

const formatMissingFiles = (keys: readonly string[]): string => {
  const named = `${keys.slice(0, 3).join(', ')}${keys.length > 3 ? ', …' : ''}`;
  return `Missing files that rows name: ${keys.length} (${named}), listed in manifest.json`;
};

/** Makes a backup in a new folder, by default one of `backups` with the time as its name. */
export const backUp = async (name: string | undefined): Promise<void> => {
  const instant = systemClock.now().toISOString().slice(0, 19).replaceAll(':', '-');
  const folder = resolveFolder(name ?? join('backups', instant));
  const config = readConfig(process.env);
  const database = await connectToDatabase(config);
  try {
    // Refuse a database with a newer schema, because this version may not know all columns that
    // refer to files.
    await assertSchemaNotNewer(database.sql);
    const { files, check, close } = await openFiles(config);
    await check();
    const manifest = await makeBackup(
      {
        sql: database.sql,
        files,
        clock: systemClock,
        secretsFile: join(resolve(config.dataDir), 'secrets.json'),
      },
      folder,
    );
    await close();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    printLine(`Backed up ${rows} rows and ${manifest.files.count} files to ${folder}`);
    const { missing } = manifest.files;
    if (missing.length > 0) printLine(formatMissingFiles(missing));
  } finally {
    await database.close();
  }
};
