import type { App } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { createApp } from '#server/create-app.ts';
import { createInProcessBus } from '#server/platform/bus/bus.ts';
import { systemClock } from '#server/platform/clock.ts';
import { createImageProcessor } from '#server/platform/images/images.ts';
import { noRateLimits } from '#server/platform/no-rate-limits.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { generateSecrets } from '#server/platform/secrets.ts';
import { campusSettings } from './campus-settings.ts';

const refuseFiles = (): never => {
  throw new Error('This App stores no files');
};

const refuseStatements = () => {
  throw new Error('This App has no database');
};
const noDatabase = Object.assign(refuseStatements, { unsafe: refuseStatements }) as unknown as Sql;

/**
 * Creates an App without a server, for code that uses few of its members. It has no database, queues no jobs and no
 * emails, and stores no files, unless `members` replaces these.
 */
export const createStubApp = ({ sql = noDatabase, ...members }: Partial<App> = {}): App =>
  createApp({
    config: readConfig({
      NODE_ENV: 'test',
      QUAD_PUBLIC_URL: 'https://quad.test',
      QUAD_SMTP_URL: 'smtp://mail.test',
      ...campusSettings,
    }),
    sql,
    search: (work) => work(sql),
    clock: systemClock,
    bus: createInProcessBus(),
    jobs: { enqueue: async () => {} },
    mail: { assertSending: () => {}, send: async () => {} },
    files: {
      put: refuseFiles,
      copy: refuseFiles,
      read: refuseFiles,
      delete: refuseFiles,
      list: refuseFiles,
      removeUnfinished: refuseFiles,
    },
    // Its process starts with the first image.
    images: createImageProcessor(),
    secrets: generateSecrets(),
    log: silentLog,
    limits: noRateLimits,
    ...members,
  });
