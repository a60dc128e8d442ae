import { resolve } from 'node:path';
import type { App, CommandActor } from '#server/app.ts';
import type { Config } from '#server/config.ts';
import { createApp } from '#server/create-app.ts';
import { openBus } from '#server/start/open-bus.ts';
import { openFiles } from '#server/start/open-files.ts';
import { openJobProducer } from '#server/start/open-job-producer.ts';
import { openMailer } from '#server/start/open-mailer.ts';
import { systemClock } from '../platform/clock.ts';
import { createImageProcessor } from '../platform/images/images.ts';
import { noRateLimits } from '../platform/no-rate-limits.ts';
import { deferDeletionsDuringBackup } from '../platform/postgres/backup-guard.ts';
import { assertCurrentSchema } from '../platform/postgres/migrations.ts';
import { silentLog } from '../platform/process/log.ts';
import { loadSecrets } from '../platform/secrets.ts';
import { connectToDatabase } from './command.ts';

/**
 * Creates the App of a command, connected to the database and the bus of the running servers, and passes it to `run`.
 * `actor` is the person who makes the changes; pass undefined for commands that only read.
 */
export const runWithApp = async (
  config: Config,
  actor: CommandActor | undefined,
  run: (app: App) => Promise<void>,
): Promise<void> => {
  const { url, sql, close } = await connectToDatabase(config);
  try {
    await assertCurrentSchema(sql);
    const secrets = await loadSecrets(resolve(config.dataDir));
    const { files, close: closeFiles } = await openFiles(config);
    const bus = await openBus(config, sql, silentLog, { alone: false });
    const jobs = openJobProducer(url);
    const images = createImageProcessor();
    const app = createApp({
      config,
      sql,
      search: (work) => work(sql),
      clock: systemClock,
      bus,
      jobs,
      mail: openMailer(config.mail, jobs, secrets.pepper),
      files: deferDeletionsDuringBackup(files, sql, silentLog),
      images,
      secrets,
      log: silentLog,
      limits: noRateLimits,
      actor,
    });
    try {
      await run(app);
    } finally {
      images.close();
      await jobs.close();
      // Closing the bus waits until all published bus messages have been sent.
      await bus.close();
      await closeFiles();
    }
  } finally {
    await close();
  }
};
