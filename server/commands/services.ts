import { resolve } from 'node:path';
import {
  createAccountAdministration,
  createAccountModeration,
  createKeyRotation,
} from '../accounts/public.ts';
import { type Actor, createAudit } from '../audit/public.ts';
import type { Config } from '../config.ts';
import { createEventLineService } from '../conversations/public.ts';
import { createDealAdministration, createDealHooks, createHandoverMails } from '../deals/public.ts';
import { createFormInbox } from '../forms/public.ts';
import { createMeetingSpotAdministration } from '../handovers/public.ts';
import { createListingModeration } from '../listings/public.ts';
import { createNotify } from '../notifications/public.ts';
import { openAccountDeletion } from '../open-account-deletion.ts';
import { openBus } from '../open-bus.ts';
import { openJobProducer } from '../open-job-queue.ts';
import { openMailer } from '../open-mailer.ts';
import { createPageInvalidation } from '../pages/public.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { systemClock } from '../platform/clock.ts';
import type { Jobs } from '../platform/jobs.ts';
import type { Sql } from '../platform/postgres/database.ts';
import { assertCurrentSchema } from '../platform/postgres/migrations.ts';
import { silentLog } from '../platform/process/log.ts';
import { loadSecrets } from '../platform/secrets.ts';
import { createReviewModeration } from '../reviews/public.ts';
import { connectToDatabase } from './command.ts';

interface ServiceConnections {
  sql: Sql;
  bus: Bus;
  jobs: Pick<Jobs, 'enqueue'>;
  pepper: Buffer;
}

const createServices = (
  { campus, campusOnly, mail, publicUrl }: Config,
  actor: Actor | undefined,
  { sql, bus, jobs, pepper }: ServiceConnections,
) => {
  const base = { sql, clock: systemClock, invalidation: createPageInvalidation(bus) };
  const audit = createAudit({ ...base, pepper, actor });
  const listingModeration = createListingModeration({
    ...base,
    audit,
    deals: createDealHooks(jobs),
    notify: createNotify(jobs),
  });
  const mailer = openMailer(mail, jobs, pepper);
  return {
    sql,
    audit,
    listingModeration,
    reviewModeration: createReviewModeration({ ...base, audit }),
    accountModeration: createAccountModeration({
      ...base,
      bus,
      listingModeration,
      audit,
      deals: createDealHooks(jobs),
    }),
    administration: createAccountAdministration({ ...base, pepper, mailer, audit, campus, campusOnly }),
    deletion: openAccountDeletion({ ...base, jobs, bus, audit }),
    deals: createDealAdministration({
      ...base,
      campus,
      audit,
      eventLines: createEventLineService({ bus, mailer }),
      scheduleSettling: createDealHooks(jobs).scheduleSettling,
      mailHandover: createHandoverMails({ campus, publicUrl, mailer }),
    }),
    forms: createFormInbox({ ...base, audit }),
    meetingSpots: createMeetingSpotAdministration({ ...base, audit }),
    keyRotation: createKeyRotation({ ...base, pepper, audit }),
  };
};

export type Services = ReturnType<typeof createServices>;

/**
 * Creates the services that commands call, on the database and the bus of the running servers, and passes them to a
 * function. `actor` is the person who changes something; undefined for commands that only read.
 */
export const withServices = async (
  config: Config,
  actor: Actor | undefined,
  run: (services: Services) => Promise<void>,
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
      // Closing the bus waits until all published announcements have been sent.
      await bus.close();
    }
  } finally {
    await close();
  }
};
