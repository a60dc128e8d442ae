import type { App } from '#server/app.ts';
import {
  approveListingWithin,
  changeTakeDownReasonWithin,
  requestListingChangesWithin,
  restoreListingWithin,
  takeDownListingWithin,
} from '#server/features/listings/public.ts';
import {
  createCaseServices,
  createReportingServices,
  quotedPhotoCopyQueue,
} from '#server/features/moderation/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { JobQueue } from '#server/platform/jobs.ts';

/** The URLs of the photos that a moderation case quotes. */
export type QuotedPhotos = typeof quotedPhotoCopyQueue.payload._output;

const refuse = async (): Promise<never> => {
  throw new Error('Nobody is suspended on the demo campus');
};
const refuseList = (): never => {
  throw new Error('No files are removed on the demo campus');
};

/**
 * Creates the moderation services that create the reports of demo people and the decisions of demo
 * moderators, with dates in the past. The services write no audit entries, because nobody used the server at
 * that time.
 */
export const createBackdatedModerationServices = (app: App, notify: Notifier) => {
  const quotedPhotos: QuotedPhotos[] = [];
  // Keep the jobs that copy photos of reported content, so that the caller can run them. Drop all other jobs:
  // they would carry out moderators' delayed actions, but on the demo campus these actions take effect
  // immediately.
  const jobs: Pick<JobQueue, 'enqueue'> = {
    enqueue: async (_tx, queue, payload) => {
      if (queue.name === quotedPhotoCopyQueue.name)
        quotedPhotos.push(quotedPhotoCopyQueue.payload.parse(payload));
    },
  };
  const { sql, clock } = app;
  const deps = { sql, clock, notify, jobs, audit: { note: async () => {} } };
  const { openSignal, reports, appeals } = createReportingServices({
    ...deps,
    files: { put: refuse, read: refuse, delete: refuse, list: refuseList },
    readPhoto: refuse,
  });
  const { cases, actions } = createCaseServices({
    ...deps,
    listings: {
      takeDownWithin: (...args) => takeDownListingWithin(app, ...args),
      requestChangesWithin: (...args) => requestListingChangesWithin(app, ...args),
      changeReasonWithin: (...args) => changeTakeDownReasonWithin(app, ...args),
      restoreWithin: (...args) => restoreListingWithin(app, ...args),
    },
    review: { approveWithin: (...args) => approveListingWithin(app, ...args) },
    accounts: { suspendWithin: refuse, liftWithin: refuse },
    assertNotLastAdministrator: refuse,
    // Nobody has a role on a demo campus that others can reach, but its decisions are from a time when somebody had one.
    findCurrentRole: async () => 'administrator',
    mailer: { sendAppealDecided: refuse, sendDecision: refuse },
  });
  return { openSignal, reports, appeals, cases, actions, quotedPhotos };
};
