import { join, resolve } from 'node:path';
import { storageBuckets } from '#contract/photos.ts';
import { readManifest, restoreBackup } from '#server/features/backup/public.ts';
import { skipDueUnreadMail } from '#server/features/conversations/public.ts';
import { skipDueNotices } from '#server/features/deals/public.ts';
import { quotedPhotoFolder } from '#server/features/moderation/public.ts';
import { skipDueNotificationEmails } from '#server/features/notifications/public.ts';
import { removeAllPushSubscriptions, skipDuePushes } from '#server/features/push/public.ts';
import { skipSavedListingAlerts } from '#server/features/saved-listings/public.ts';
import { skipDueAlerts } from '#server/features/saved-searches/public.ts';
import { openFiles } from '#server/start/open-files.ts';
import { openDatabase } from '../platform/postgres/database.ts';
import { assertUsableDatabase } from '../platform/postgres/database-check.ts';
import { startEmbeddedDatabase } from '../platform/postgres/embedded-database.ts';
import { listMigrations, migrateDatabase } from '../platform/postgres/migrations.ts';
import { silentLog } from '../platform/process/log.ts';
import { printLine, resolveFolder, runCommand, UsageError } from './command.ts';

const usage = `Usage: npm run restore -- folder [--trial]   (into an empty database, store and DATA_DIR)
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
        sql,
        files,
        fileFolders: [...storageBuckets, 'forms', quotedPhotoFolder],
        secretsFile: join(dataDir, 'secrets.json'),
        migrations: listMigrations(),
        migrate: (upTo) => migrateDatabase({ databaseUrl, log: silentLog, upTo }),
        adjustRows: async (tx) => {
          await skipDueUnreadMail(tx);
          await skipDueNotices(tx);
          await skipDueNotificationEmails(tx);
          await skipDuePushes(tx);
          await skipSavedListingAlerts(tx);
          await skipDueAlerts(tx);
          if (isTrial) await removeAllPushSubscriptions(tx);
        },
      },
      folder,
    );
    await close();
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    printLine(
      `Restored ${rows} rows and ${manifest.files.count} files of ${manifest.made_at}. Start with: ${isTrial ? 'MAIL=off ' : ''}npm start`,
    );
  } finally {
    await sql.end({ timeout: 5 });
    await embedded?.stop();
  }
});
