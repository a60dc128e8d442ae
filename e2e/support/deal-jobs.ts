import { resolve } from 'node:path';
import { connectToDatabase } from '#server/commands/command.ts';
import { readConfig } from '#server/config.ts';
import { createEventLineService } from '#server/features/conversations/public.ts';
import {
  createDeadlineJob,
  createDealSettlingScheduler,
  createDrawJob,
  createHandoverMailer,
} from '#server/features/deals/public.ts';
import { createPageInvalidation } from '#server/pages/public.ts';
import { systemClock } from '#server/platform/clock.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { loadSecrets } from '#server/platform/secrets.ts';
import { openBus } from '#server/start/open-bus.ts';
import { openJobProducer } from '#server/start/open-job-queue.ts';
import { openMailer } from '#server/start/open-mailer.ts';
import type { QuadServer } from './quad-server.ts';

/**
 * Makes all draws and applies all deadlines that are due. Does so in this process, because the server's own
 * jobs run only once a minute. Jobs that follow from this, such as the renewal of waiting offers, run on the
 * server.
 */
export const runDealJobs = async ({ dataDir, url: publicUrl }: QuadServer): Promise<void> => {
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: dataDir });
  const { campus, mail } = config;
  const { url, sql, close } = await connectToDatabase(config);
  const bus = await openBus(config, sql, silentLog, { alone: false });
  const jobs = openJobProducer(url);
  try {
    const { pepper } = await loadSecrets(resolve(dataDir));
    const mailer = openMailer(mail, jobs, pepper);
    const deps = {
      sql,
      clock: systemClock,
      campus,
      eventLines: createEventLineService({ bus, mailer }),
      invalidation: createPageInvalidation(bus),
      scheduleSettling: createDealSettlingScheduler(jobs).scheduleSettling,
      mailHandover: createHandoverMailer({ campus, publicUrl, mailer }),
    };
    await createDrawJob(deps)();
    await createDeadlineJob(deps)();
  } finally {
    await jobs.close();
    await bus.close();
    await close();
  }
};
