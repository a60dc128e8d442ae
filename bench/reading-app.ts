import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { App } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { createMailer } from '#server/mail/mailer.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { createDiskFileStore } from '#server/platform/files/files.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { noRateLimits } from '#server/platform/rate-limits.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { createApp } from '#server/start/create-app.ts';

/** Creates an App at a fixed time for benchmarks that read from a database. It sends no mail and runs no jobs. */
export const createReadingApp = (sql: Sql, now: Date): App =>
  createApp({
    config: readConfig({}),
    sql,
    search: (work) => work(sql),
    clock: { now: () => now, elapsed: () => performance.now() },
    bus: createInProcessBus(),
    jobs: { enqueue: async () => {} },
    mail: createMailer(async () => {}),
    files: createDiskFileStore({ root: join(tmpdir(), 'quad-bench-files') }),
    images: createImageProcessor(),
    secrets: generateSecrets(),
    log: silentLog,
    limits: noRateLimits,
  });
