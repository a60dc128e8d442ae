import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import { runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

interface ReviewModerationDeps {
  sql: Sql;
  clock: Clock;
  invalidation: Pick<PageInvalidation, 'profileChanged'>;
  audit: Pick<AuditTrail, 'note'>;
  notify: Notifier;
}

/** Creates the service with which administrators remove reviews and restore them. */
export const createReviewModeration = ({ sql, clock, invalidation, audit, notify }: ReviewModerationDeps) => {
  const get = async (id: string): Promise<repository.ModeratedReview> => {
    const review = await repository.findReviewForModeration(sql, id);
    if (!review) throw createProblem('not_found', { sentence: `There is no review ${id}` });
    return review;
  };

  const moderate = async (
    id: string,
    event: 'review_removed' | 'review_restored',
    removedAt: Date | null,
  ): Promise<repository.ModeratedReview> => {
    const { author_id: authorId, subject_id: subjectId, deal_id: dealId, ...review } = await get(id);
    const isChanged = (review.removed_at === null) !== (removedAt === null);
    await runInTransaction(sql, async (tx) => {
      await repository.lockPerson(tx, subjectId);
      await repository.setReviewRemoved(tx, id, removedAt);
      await repository.computeRating(tx, subjectId, clock.now());
      await audit.note({ event, userId: authorId ?? undefined, detail: id }, tx);
      if (isChanged && authorId && dealId)
        await notify(tx, event, [{ subjectId: dealId, facts: {}, userIds: [authorId] }]);
    });
    await invalidation.profileChanged(subjectId);
    return get(id);
  };

  return {
    get,

    /** Removes a review from the profile of the person reviewed and from the rating. */
    remove: (id: string) => moderate(id, 'review_removed', clock.now()),

    /** Restores a review that was removed. */
    restore: (id: string) => moderate(id, 'review_restored', null),
  };
};

export type ReviewModeration = ReturnType<typeof createReviewModeration>;
