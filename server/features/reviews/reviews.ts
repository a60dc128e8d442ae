import { createProblem } from '#contract/errors.ts';
import {
  type DealReviews,
  type PublicReview,
  type ReviewBody,
  type ReviewPage,
  reviewPageSize,
} from '#contract/reviews.ts';
import { idSchema } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { haveSameMailbox } from '#server/features/accounts/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { assertHasProfile } from '#server/features/profiles/public.ts';
import { invalidateProfilePages } from '#server/pages/public.ts';
import { decodeListCursor, takePage } from '#server/platform/list-position.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { canReview, findReviewPeriodEnd, getDealParty, getOtherPartyId, isReviewPublic } from './policy.ts';
import * as repository from './repository.ts';

// A review is visible only to its author until both parties of the deal have written one, or the period for reviews has
// ended. The time alone makes reviews public; a job only updates the ratings.

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

const getState = async (tx: Queryable, userId: string, dealId: string) => {
  const deal = await repository.findReviewedDeal(tx, { dealId, userId });
  if (!deal) throw createProblem('deal_not_found');
  const party = getDealParty(deal, userId);
  const reviews = await repository.listReviewsOfDeal(tx, dealId);
  const own = reviews.find(({ author_party: author }) => author === party);
  const other = reviews.find(({ author_party: author }) => author !== party);
  return { deal, party, own, other };
};

/** Returns the reviews of a deal as one of its parties sees them. Throws deal_not_found for anybody else. */
export const getDealReviews = async (app: App, userId: string, dealId: string): Promise<DealReviews> => {
  const { deal, party, own, other } = await getState(app.sql, userId, dealId);
  const now = app.clock.now();
  const isShown = other && isReviewPublic(other, now) && other.removed_at === null;
  return {
    own: own ? { ...presentContent(own), is_public: isReviewPublic(own, now) } : null,
    other: isShown ? presentContent(other) : null,
    can_review: canReview(deal, party, own, now),
    closes_at: findReviewPeriodEnd(deal)?.toISOString() ?? null,
  };
};

/** Includes all public reviews in a person's rating, and notifies the person about the newly included ones. */
const updateRating = async (app: App, tx: Queryable, userId: string): Promise<void> => {
  const now = app.clock.now();
  await repository.computeRating(tx, userId, now);
  for (const subjectId of await repository.markReviewsCounted(tx, userId, now))
    await notify(app, tx, 'review_published', [{ subjectId, facts: {}, userIds: [userId] }]);
};

/** Stores a review. Returns the people whose public reviews changed. */
const storeReview = async (
  app: App,
  tx: Queryable,
  { userId, dealId }: { userId: string; dealId: string },
  body: ReviewBody,
): Promise<string[]> => {
  await repository.lockDealParties(tx, dealId);
  const { deal, party, own, other } = await getState(tx, userId, dealId);
  // A retry after a lost response must not fail.
  if (own && hasSameContent(own, body)) return [];
  const now = app.clock.now();
  const [end, subjectId] = [findReviewPeriodEnd(deal), getOtherPartyId(deal, party)];
  if (!end || subjectId === null || !canReview(deal, party, own, now))
    throw createProblem('review_not_possible');
  if (await haveSameMailbox(tx, app.config.campus, [userId, subjectId]))
    throw createProblem('review_not_possible');
  await repository.saveReview(tx, { dealId, party, authorId: userId, subjectId, body, publicAt: end, now });
  if (!other) return [];
  await repository.publishReviews(tx, dealId, now);
  const people = [userId, subjectId];
  for (const id of people) await updateRating(app, tx, id);
  return people;
};

/**
 * Writes the caller's review of a completed deal, or replaces it until it is public. Throws
 * review_not_possible before the completion, after the period for reviews, and when the review
 * is already public.
 */
export const writeReview = async (
  app: App,
  userId: string,
  dealId: string,
  body: ReviewBody,
): Promise<DealReviews> => {
  const people = await runInTransaction(app.sql, (tx) => storeReview(app, tx, { userId, dealId }, body));
  for (const id of people) await invalidateProfilePages(app, id);
  return getDealReviews(app, userId, dealId);
};

/** Lists the public reviews of a person. Throws user_not_found when the person has no public profile. */
export const listReviewsOfUser = async (
  app: App,
  userId: string,
  cursor: string | undefined,
): Promise<ReviewPage> => {
  if (!idSchema.safeParse(userId).success) throw createProblem('user_not_found');
  const after = decodeListCursor(cursor);
  await assertHasProfile(app, userId);
  const rows = await repository.listPublicReviews(app.sql, {
    subjectId: userId,
    after,
    now: app.clock.now(),
    limit: reviewPageSize + 1,
  });
  const { page, next_cursor } = takePage(rows, reviewPageSize, ({ position_time: time }) => time);
  return { items: page.map(presentPublicReview), next_cursor };
};

/** Updates a person's rating with the reviews that have become public since it was computed. */
const countReviewsOf = async (app: App, userId: string): Promise<void> => {
  await runInTransaction(app.sql, async (tx) => {
    await repository.lockPerson(tx, userId);
    await updateRating(app, tx, userId);
  });
  await invalidateProfilePages(app, userId);
};

/** Updates people's ratings with the reviews that have become public since the last run. */
export const countPublishedReviews = async (app: App): Promise<void> => {
  for (let people: string[] | undefined; people === undefined || people.length > 0; ) {
    people = await repository.listPeopleWithOutdatedRating(app.sql, app.clock.now(), batchSize);
    for (const id of people) await countReviewsOf(app, id);
  }
};
