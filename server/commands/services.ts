import { resolve } from 'node:path';
import type { Config } from '#server/config.ts';
import { createSigningKeyRotationService } from '#server/features/accounts/public.ts';
import { type AuditActor, createAuditTrail } from '#server/features/audit/public.ts';
import { createNotifier } from '#server/features/notifications/public.ts';
import { createReviewModeration } from '#server/features/reviews/public.ts';
import { createAdministrationServices } from '#server/start/administration-services.ts';
import { openBus } from '#server/start/open-bus.ts';
import { openJobProducer } from '#server/start/open-job-queue.ts';
import { openMailer } from '#server/start/open-mailer.ts';
import { createPageInvalidation } from '../pages/public.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { systemClock } from '../platform/clock.ts';
import type { JobQueue } from '../platform/jobs.ts';
import type { Sql } from '../platform/postgres/database.ts';
import { assertCurrentSchema } from '../platform/postgres/migrations.ts';
import { silentLog } from '../platform/process/log.ts';
import { loadSecrets } from '../platform/secrets.ts';
import { connectToDatabase } from './command.ts';

interface ServiceConnections {
  sql: Sql;
  bus: Bus;
  jobs: Pick<JobQueue, 'enqueue'>;
  pepper: Buffer;
}

const createServices = (
  config: Config,
  actor: AuditActor | undefined,
  { sql, bus, jobs, pepper }: ServiceConnections,
) => {
  const base = { sql, clock: systemClock, invalidation: createPageInvalidation(bus) };
  const audit = createAuditTrail({ ...base, pepper, actor });
  const mailer = openMailer(config.mail, jobs, pepper);
  return {
    sql,
    audit,
    mailer,
    ...createAdministrationServices({ config, sql, clock: systemClock, bus, jobs, mailer, pepper, audit }),
    reviewModeration: createReviewModeration({ ...base, audit, notify: createNotifier(jobs) }),
    keyRotation: createSigningKeyRotationService({ ...base, pepper, audit }),
  };
};

export type CommandServices = ReturnType<typeof createServices>;

/**
 * Creates the services that commands call, connected to the database and the bus of the running servers, and
 * passes them to `run`. `actor` is the person who makes the changes; pass undefined for commands that only
 * read.
 */
export const runWithCommandServices = async (
  config: Config,
  actor: AuditActor | undefined,
  run: (services: CommandServices) => Promise<void>,
): Promise<void> => {
  const { url, sql, close } = await connectToDatabase(config);
  try {
    await assertCurrentSchema(sql);
    const { pepper } = await loadSecrets(resolve(config.dataDir));
    const bus = await openBus(config, sql, silentLog, { alone: false });
    const jobs = openJobProducer(url);
    try {
      await run(createServices(config, actor, { sql, bus, jobs, pepper }));
    } finally {
      await jobs.close();
      // Closing the bus waits until all published bus messages have been sent.
      await bus.close();
    }
  } finally {
    await close();
  }
};
