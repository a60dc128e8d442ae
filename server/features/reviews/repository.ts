import type { DealParty } from '#contract/deal-states.ts';
import type { PublicUser } from '#contract/profiles.ts';
import type { ReviewBody } from '#contract/reviews.ts';
import { toBlockedSql } from '#server/features/blocks/sql.ts';
import { type ListPosition, toCursorTimeSql } from '#server/platform/list-position.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { fragment, trustedSql } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export interface ReviewedDeal extends Pick<Tables['deals'], 'id' | 'buyer_id' | 'seller_id'> {
  /** When the deal was completed; null otherwise. */
  completed_at: Tables['deals']['completed_at'];
}

export interface ReviewRow
  extends Pick<
    Tables['reviews'],
    'id' | 'author_party' | 'rating' | 'review_text' | 'public_at' | 'removed_at'
  > {
  tags: ReviewBody['tags'];
}

/**
 * Locks both parties of a deal until the transaction ends, in the order of their ids. Reviews of a
 * deal are therefore written one at a time, and no party is deleted meanwhile.
 */
export const lockDealParties = async (tx: Queryable, dealId: string): Promise<void> => {
  await tx`
    SELECT 1 FROM users WHERE id IN (
      SELECT unnest(ARRAY[buyer_id, seller_id]) FROM deals WHERE id = ${dealId}
    ) ORDER BY id FOR NO KEY UPDATE`;
};

/** Finds a deal by its id. Returns undefined unless the person is one of its parties. */
export const findReviewedDeal = async (
  sql: Queryable,
  { dealId, userId }: { dealId: string; userId: string },
): Promise<ReviewedDeal | undefined> => {
  const [deal] = await sql<ReviewedDeal[]>`
    SELECT id, buyer_id, seller_id, CASE WHEN state = 'completed' THEN completed_at END AS completed_at
    FROM deals WHERE id = ${dealId} AND ${userId} IN (buyer_id, seller_id)`;
  return deal;
};

export const listReviewsOfDeal = (sql: Queryable, dealId: string): Promise<ReviewRow[]> =>
  sql<ReviewRow[]>`
    SELECT id, author_party, rating, tags, review_text, public_at, removed_at FROM reviews WHERE deal_id = ${dealId}`;

export interface NewReview {
  dealId: string;
  party: DealParty;
  authorId: string;
  subjectId: string;
  body: ReviewBody;
  publicAt: Date;
  now: Date;
}

/** Stores a review, or replaces the rating, tags and text of the party's review of this deal. */
export const saveReview = async (tx: Queryable, review: NewReview): Promise<void> => {
  const { dealId, party, authorId, subjectId, body, publicAt, now } = review;
  await tx`
    INSERT INTO reviews (deal_id, author_party, author_id, author_key, subject_id, rating, tags, review_text, public_at,
      created_at, updated_at)
    VALUES (${dealId}, ${party}, ${authorId}, coalesce((
        SELECT author_key FROM reviews WHERE author_id = ${authorId} AND subject_id = ${subjectId} LIMIT 1
      ), gen_random_uuid()), ${subjectId}, ${body.rating}, ${body.tags}, ${body.text}, ${publicAt},
      ${now}, ${now})
    ON CONFLICT (deal_id, author_party) DO UPDATE SET rating = excluded.rating, tags = excluded.tags,
      review_text = excluded.review_text, updated_at = excluded.updated_at`;
};

export const publishReviews = async (tx: Queryable, dealId: string, now: Date): Promise<void> => {
  await tx`UPDATE reviews SET public_at = ${now} WHERE deal_id = ${dealId} AND public_at > ${now}`;
};

/** Lists the people with public reviews that their rating does not include yet. */
export const listPeopleWithOutdatedRating = async (
  sql: Queryable,
  now: Date,
  limit: number,
): Promise<string[]> => {
  const rows = await sql<{ id: string }[]>`
    SELECT DISTINCT subject_id AS id FROM (
      SELECT subject_id FROM reviews WHERE NOT is_counted AND public_at <= ${now} ORDER BY public_at LIMIT ${limit}
    ) AS due`;
  return rows.map(({ id }) => id);
};

export const lockPerson = async (tx: Queryable, id: string): Promise<void> => {
  await tx`SELECT 1 FROM users WHERE id = ${id} FOR NO KEY UPDATE`;
};

/**
 * Marks the public reviews of a person as counted. Returns the deals of those that were not counted before, except
 * reviews that were removed, and reviews by people whom the person blocked. Lock the person first.
 */
export const markReviewsCounted = async (tx: Queryable, id: string, now: Date): Promise<string[]> => {
  const counted = await tx<{ deal_id: string; is_shown: boolean }[]>`
    UPDATE reviews SET is_counted = true WHERE subject_id = ${id} AND public_at <= ${now} AND NOT is_counted
    RETURNING deal_id, removed_at IS NULL AND NOT (${trustedSql(toBlockedSql('subject_id', 'author_id'))}) AS is_shown`;
  return counted.filter((row) => row.is_shown).map((row) => row.deal_id);
};

/**
 * Computes a person's rating from the public reviews; only the newest review of each author counts. Lock the person
 * first.
 */
export const computeRating = async (tx: Queryable, id: string, now: Date): Promise<void> => {
  await tx`
    UPDATE users SET (rating, review_count) = (
      SELECT round(avg(rating), 2), count(*) FROM (
        SELECT DISTINCT ON (author_key) rating FROM reviews
        WHERE subject_id = ${id} AND public_at <= ${now} AND removed_at IS NULL
        ORDER BY author_key, created_at DESC, id
      ) AS newest
    ) WHERE id = ${id}`;
};

export interface PublicReviewRow extends ReviewRow {
  author: PublicUser | null;
  position_time: string;
}

/** Lists the public reviews of a person, newest first. */
export const listPublicReviews = (
  sql: Queryable,
  {
    subjectId,
    after,
    now,
    limit,
  }: { subjectId: string; after: ListPosition | undefined; now: Date; limit: number },
): Promise<PublicReviewRow[]> =>
  sql<PublicReviewRow[]>`
    SELECT r.id, r.author_party, r.rating, r.tags, r.review_text, r.public_at, r.removed_at,
      ${toCursorTimeSql(fragment`r.public_at`)} AS position_time,
      CASE WHEN a.id IS NOT NULL THEN json_build_object('id', a.id, 'name', a.display_name, 'avatar_url', a.avatar_url,
        'usc_verified', a.usc_verified) END AS author
    FROM reviews r LEFT JOIN users a ON a.id = r.author_id
    WHERE r.subject_id = ${subjectId} AND r.public_at <= ${now} AND r.removed_at IS NULL
      ${after ? fragment`AND (r.public_at, r.id) < (${after.time}::text::timestamptz, ${after.id}::uuid)` : fragment``}
    ORDER BY r.public_at DESC, r.id DESC LIMIT ${limit}`;

export interface ModeratedReview
  extends Pick<
    Tables['reviews'],
    'id' | 'author_id' | 'subject_id' | 'rating' | 'review_text' | 'public_at' | 'removed_at'
  > {
  /** Id of the reviewed deal, or null when the accounts of both parties were deleted. */
  deal_id: Tables['reviews']['deal_id'];
  author_email: string | null;
  subject_email: string;
}

export const findReviewForModeration = async (
  sql: Queryable,
  id: string,
): Promise<ModeratedReview | undefined> => {
  const [review] = await sql<ModeratedReview[]>`
    SELECT r.id, r.deal_id, r.author_id, a.email AS author_email, r.subject_id, s.email AS subject_email, r.rating, r.review_text,
      r.public_at, r.removed_at
    FROM reviews r JOIN users s ON s.id = r.subject_id LEFT JOIN users a ON a.id = r.author_id
    WHERE r.id::text = ${id}`;
  return review;
};

export const setReviewRemoved = async (tx: Queryable, id: string, removedAt: Date | null): Promise<void> => {
  await tx`UPDATE reviews SET removed_at = ${removedAt} WHERE id = ${id}`;
};
