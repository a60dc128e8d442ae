import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { systemClock } from '#server/platform/clock.ts';
import { createDiskFileStore } from '#server/platform/files/files.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { noRateLimits } from '#server/platform/rate-limits.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { createApp } from '#server/start/create-app.ts';

/** Creates an App on a database, without job queue and mail. `members` replace its other members. */
export const createBenchApp = (members: Pick<App, 'sql'> & Partial<App>): App => {
  const { sql } = members;
  return createApp({
    config: readConfig({ NODE_ENV: 'test', MAIL: 'off' }),
    search: (work) => work(sql),
    clock: systemClock,
    bus: createInProcessBus(),
    jobs: { enqueue: async () => {} },
    mail: createMailer(async () => {}),
    files: createDiskFileStore({ root: join(tmpdir(), 'quad-bench-files') }),
    images: createImageProcessor(),
    secrets: generateSecrets(),
    limits: noRateLimits,
    log: silentLog,
    ...members,
  });
};
