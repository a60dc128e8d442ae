import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { invalidateProfilePages } from '#server/pages/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

/** Returns a review as administrators see it. Throws not_found when there is none with this id. */
export const getModeratedReview = async (app: App, id: string): Promise<repository.ModeratedReview> => {
  const review = await repository.findReviewForModeration(app.sql, id);
  if (!review) throw createProblem('not_found', { sentence: `There is no review ${id}` });
  return review;
};

const moderate = async (
  app: App,
  id: string,
  event: 'review_removed' | 'review_restored',
  removedAt: Date | null,
): Promise<repository.ModeratedReview> => {
  const {
    author_id: authorId,
    subject_id: subjectId,
    deal_id: dealId,
    ...review
  } = await getModeratedReview(app, id);
  const isChanged = (review.removed_at === null) !== (removedAt === null);
  await runInTransaction(app.sql, async (tx) => {
    await repository.lockPerson(tx, subjectId);
    await repository.setReviewRemoved(tx, id, removedAt);
    await repository.computeRating(tx, subjectId, app.clock.now());
    await noteSecurityEvent(app, { event, userId: authorId ?? undefined, detail: id }, tx);
    if (isChanged && authorId && dealId)
      await notify(app, tx, event, [{ subjectId: dealId, facts: {}, userIds: [authorId] }]);
  });
  await invalidateProfilePages(app, subjectId);
  return getModeratedReview(app, id);
};

/** Removes a review from the profile of the person reviewed and from the rating. */
export const removeReview = (app: App, id: string): Promise<repository.ModeratedReview> =>
  moderate(app, id, 'review_removed', app.clock.now());

export const restoreReview = (app: App, id: string): Promise<repository.ModeratedReview> =>
  moderate(app, id, 'review_restored', null);
