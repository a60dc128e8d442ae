import type { CampusMailboxes } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import {
  type DealReviews,
  type PublicReview,
  type ReviewBody,
  type ReviewPage,
  reviewPageSize,
} from '#contract/reviews.ts';
import { idSchema } from '#contract/text.ts';
import { haveSameMailbox } from '#server/features/accounts/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import { decodeListCursor, encodeListCursor } from '#server/platform/list-position.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import { canReview, findReviewPeriodEnd, getDealParty, getOtherPartyId, isReviewPublic } from './policy.ts';
import * as repository from './repository.ts';

interface ReviewsDeps {
  sql: Sql;
  clock: Clock;
  campus: CampusMailboxes;
  invalidation: Pick<PageInvalidation, 'profileChanged'>;
  /** Throws user_not_found unless the person has a public profile. */
  assertHasProfile(userId: string): Promise<void>;
  notify: Notifier;
}

/** Number of reviews that one statement of the job reads. */
const batchSize = 100;

const presentContent = ({ id, rating, tags, review_text: text }: repository.ReviewRow) => ({
  id,
  rating,
  tags,
  text,
});

const presentPublicReview = (row: repository.PublicReviewRow): PublicReview => ({
  ...presentContent(row),
  published_at: row.public_at.toISOString(),
  author: row.author,
});

const hasSameContent = (row: repository.ReviewRow, { rating, tags, text }: ReviewBody): boolean =>
  row.rating === rating && row.review_text === text && row.tags.join() === tags.join();

/**
 * Creates the service for reviews. A review is visible only to its author until both parties of the
 * deal have written one, or the period for reviews has ended. The time alone makes reviews public;
 * a job only updates the ratings.
 */
export const createReviewService = ({
  sql,
  clock,
  campus,
  invalidation,
  assertHasProfile,
  notify,
}: ReviewsDeps) => {
  const getState = async (tx: Queryable, userId: string, dealId: string) => {
    const deal = await repository.findReviewedDeal(tx, { dealId, userId });
    if (!deal) throw createProblem('deal_not_found');
    const party = getDealParty(deal, userId);
    const reviews = await repository.listReviewsOfDeal(tx, dealId);
    const own = reviews.find(({ author_party: author }) => author === party);
    const other = reviews.find(({ author_party: author }) => author !== party);
    return { deal, party, own, other };
  };

  const getOfDeal = async (userId: string, dealId: string): Promise<DealReviews> => {
    const { deal, party, own, other } = await getState(sql, userId, dealId);
    const now = clock.now();
    const isShown = other && isReviewPublic(other, now) && other.removed_at === null;
    return {
      own: own ? { ...presentContent(own), is_public: isReviewPublic(own, now) } : null,
      other: isShown ? presentContent(other) : null,
      can_review: canReview(deal, party, own, now),
      closes_at: findReviewPeriodEnd(deal)?.toISOString() ?? null,
    };
  };

  /** Includes all public reviews in a person's rating, and notifies the person about the newly included ones. */
  const updateRating = async (tx: Queryable, userId: string): Promise<void> => {
    const now = clock.now();
    await repository.computeRating(tx, userId, now);
    for (const subjectId of await repository.markReviewsCounted(tx, userId, now))
      await notify(tx, 'review_published', [{ subjectId, facts: {}, userIds: [userId] }]);
  };

  /** Stores a review. Returns the people whose public reviews changed. */
  const writeInTransaction = async (
    tx: Queryable,
    { userId, dealId }: { userId: string; dealId: string },
    body: ReviewBody,
  ): Promise<string[]> => {
    await repository.lockDealParties(tx, dealId);
    const { deal, party, own, other } = await getState(tx, userId, dealId);
    // A retry after a lost response must not fail.
    if (own && hasSameContent(own, body)) return [];
    const now = clock.now();
    const [end, subjectId] = [findReviewPeriodEnd(deal), getOtherPartyId(deal, party)];
    if (!end || subjectId === null || !canReview(deal, party, own, now))
      throw createProblem('review_not_possible');
    if (await haveSameMailbox(tx, campus, [userId, subjectId])) throw createProblem('review_not_possible');
    await repository.saveReview(tx, { dealId, party, authorId: userId, subjectId, body, publicAt: end, now });
    if (!other) return [];
    await repository.publishReviews(tx, dealId, now);
    const people = [userId, subjectId];
    for (const id of people) await updateRating(tx, id);
    return people;
  };

  /** Updates a person's rating with the reviews that have become public since it was computed. */
  const countReviewsOf = async (userId: string): Promise<void> => {
    await runInTransaction(sql, async (tx) => {
      await repository.lockPerson(tx, userId);
      await updateRating(tx, userId);
    });
    await invalidation.profileChanged(userId);
  };

  return {
    getOfDeal,

    /**
     * Writes the caller's review of a completed deal, or replaces it until it is public. Throws
     * review_not_possible before the completion, after the period for reviews, and when the review
     * is already public.
     */
    write: async (userId: string, dealId: string, body: ReviewBody): Promise<DealReviews> => {
      const people = await runInTransaction(sql, (tx) => writeInTransaction(tx, { userId, dealId }, body));
      for (const id of people) await invalidation.profileChanged(id);
      return getOfDeal(userId, dealId);
    },

    /** Lists the public reviews of a person. Throws user_not_found when the person has no public profile. */
    listOfUser: async (userId: string, cursor: string | undefined): Promise<ReviewPage> => {
      if (!idSchema.safeParse(userId).success) throw createProblem('user_not_found');
      const after = decodeListCursor(cursor);
      await assertHasProfile(userId);
      const rows = await repository.listPublicReviews(sql, {
        subjectId: userId,
        after,
        now: clock.now(),
        limit: reviewPageSize + 1,
      });
      const items = rows.slice(0, reviewPageSize);
      const last = rows.length > reviewPageSize ? items.at(-1) : undefined;
      return {
        items: items.map(presentPublicReview),
        next_cursor: last ? encodeListCursor({ time: last.position_time, id: last.id }) : null,
      };
    },

    /** Updates people's ratings with the reviews that have become public since the last run. */
    countPublishedReviews: async (): Promise<void> => {
      for (let people: string[] | undefined; people === undefined || people.length > 0; ) {
        people = await repository.listPeopleWithOutdatedRating(sql, clock.now(), batchSize);
        for (const id of people) await countReviewsOf(id);
      }
    },
  };
};

export type ReviewService = ReturnType<typeof createReviewService>;
