import { createListingModeration, createListingReview } from '#server/listings/public.ts';
import { createCaseHandling, createModeration, quotedPhotoQueue } from '#server/moderation/public.ts';
import type { Jobs } from '#server/platform/jobs.ts';

/** The photos of a quote, by their URLs. */
export type QuotedPhotos = typeof quotedPhotoQueue.payload._output;

type ListingReviewDeps = Parameters<typeof createListingReview>[0];
interface PastModerationDeps
  extends Pick<ListingReviewDeps, 'sql' | 'clock' | 'notify' | 'invalidation' | 'matching'> {
  scheduleSettling: ListingReviewDeps['deals']['scheduleSettling'];
}

const refuse = async (): Promise<never> => {
  throw new Error('Nobody is suspended on the demo campus');
};

/**
 * Creates the services with which the people of the demo campus report each other and its moderators decide, at a time in
 * the past. They leave no audit entries, because nobody used the server then.
 */
export const createPastModeration = ({ scheduleSettling, matching, ...base }: PastModerationDeps) => {
  const quotedPhotos: QuotedPhotos[] = [];
  // The only other job carries out actions, which take effect at once here.
  const jobs: Pick<Jobs, 'enqueue'> = {
    enqueue: async (_tx, queue, payload) => {
      if (queue.name === quotedPhotoQueue.name) quotedPhotos.push(quotedPhotoQueue.payload.parse(payload));
    },
  };
  const deps = { ...base, jobs, audit: { note: async () => {} }, deals: { scheduleSettling } };
  const { openSignal, reports, appeals } = createModeration({
    ...deps,
    files: { put: refuse, read: refuse, delete: refuse },
    readPhoto: refuse,
  });
  const { cases, actions } = createCaseHandling({
    ...deps,
    listings: createListingModeration(deps),
    review: createListingReview({ ...deps, matching }),
    accounts: { suspendWithin: refuse, liftWithin: refuse },
    assertNotLastAdministrator: refuse,
  });
  return { openSignal, reports, appeals, cases, actions, quotedPhotos };
};
