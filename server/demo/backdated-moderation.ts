import { createListingModeration, createWordingReviewService } from '#server/features/listings/public.ts';
import {
  createCaseServices,
  createReportingServices,
  quotedPhotoCopyQueue,
} from '#server/features/moderation/public.ts';
import type { JobQueue } from '#server/platform/jobs.ts';

/** The URLs of the photos that a moderation case quotes. */
export type QuotedPhotos = typeof quotedPhotoCopyQueue.payload._output;

type WordingReviewDeps = Parameters<typeof createWordingReviewService>[0];
interface PastModerationDeps
  extends Pick<WordingReviewDeps, 'sql' | 'clock' | 'notify' | 'invalidation' | 'matching'> {
  scheduleSettling: WordingReviewDeps['deals']['scheduleSettling'];
}

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
export const createBackdatedModerationServices = ({
  scheduleSettling,
  matching,
  ...base
}: PastModerationDeps) => {
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
  const deps = { ...base, jobs, audit: { note: async () => {} }, deals: { scheduleSettling } };
  const { openSignal, reports, appeals } = createReportingServices({
    ...deps,
    files: { put: refuse, read: refuse, delete: refuse, list: refuseList },
    readPhoto: refuse,
  });
  const { cases, actions } = createCaseServices({
    ...deps,
    listings: createListingModeration(deps),
    review: createWordingReviewService({ ...deps, matching }),
    accounts: { suspendWithin: refuse, liftWithin: refuse },
    assertNotLastAdministrator: refuse,
    // Nobody has a role on a demo campus that others can reach, but its decisions are from a time when somebody had one.
    findCurrentRole: async () => 'administrator',
    mailer: { sendAppealDecided: refuse, sendDecision: refuse },
  });
  return { openSignal, reports, appeals, cases, actions, quotedPhotos };
};
