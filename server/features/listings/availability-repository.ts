import { maxListingsPerQuestion } from '#contract/notifications.ts';
import {
  hasOpenDealCondition,
  sellerActedAtSql,
  toListedCondition,
  toPausedCondition,
  toQuestionOpenCondition,
} from '#server/features/listing-visibility/sql.ts';
import { dayInSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';
import { toRentedOutCondition } from './filter.ts';
import type { OwnedListing } from './listing-row.ts';
import { toPublicPriceRecord } from './public-price.ts';

/** The time of a run of the job that asks owners, and what it depends on. */
export interface CheckTimes {
  now: Date;
  /** Current date on the campus, YYYY-MM-DD. */
  today: string;
  /** Listings that were last tended at this time or earlier are due. */
  tendedBefore: Date;
  /** When the server first looked for such listings. */
  startedAt: Date;
  /** Nobody is asked who was asked after this time. */
  lastAskedBefore: Date;
}

/**
 * Records that the server looks for listings that nobody tended for `checkDays` days. Returns when it first did so with
 * this number.
 */
export const startChecking = async (
  sql: Queryable,
  { checkDays, now }: { checkDays: number; now: Date },
): Promise<Date> => {
  const [row] = await sql<{ started_at: Date }[]>`
    INSERT INTO private.first_availability_check AS first (check_days, started_at) VALUES (${checkDays}, ${now})
    ON CONFLICT (is_only) DO UPDATE SET check_days = excluded.check_days,
      started_at = CASE WHEN first.check_days = excluded.check_days THEN first.started_at ELSE excluded.started_at END
    RETURNING started_at`;
  return row?.started_at ?? now;
};

export const stopChecking = async (sql: Queryable): Promise<void> => {
  await sql`DELETE FROM private.first_availability_check`;
};

/** For how many seconds questions are spread that were due before the server first looked for them. */
const spreadSeconds = 7 * dayInSeconds;

/** An expression of the index `listings_by_tending`. */
const rowTendedAtSql = fragment`greatest(l.updated_at, l.confirmed_at)`;

/** Returns the SQL condition for listings whose owner has to be asked, if that did not happen today. */
const toDueCondition = ({ now, today, tendedBefore, startedAt }: CheckTimes): Fragment => {
  const tendedBeforeStart = new Date(startedAt.getTime() - (now.getTime() - tendedBefore.getTime()));
  const spread = fragment`(hashtextextended(l.user_id::text, 0) & 2147483647) % ${spreadSeconds}::int * interval '1 s'`;
  return fragment`${rowTendedAtSql} <= ${tendedBefore}
    AND (l.asked_at IS NULL OR l.asked_at <= ${rowTendedAtSql})
    AND (${rowTendedAtSql} > ${tendedBeforeStart} OR ${startedAt}::timestamptz + ${spread} <= ${now})
    AND ${toListedCondition(today)} AND NOT ${toRentedOutCondition(today)}
    AND coalesce(${sellerActedAtSql} <= ${tendedBefore}, true) AND NOT ${hasOpenDealCondition}`;
};

const toAskableCondition = ({ lastAskedBefore }: CheckTimes): Fragment => fragment`
  c.suspended_at IS NULL AND (c.availability_asked_at IS NULL OR c.availability_asked_at <= ${lastAskedBefore})`;

/** A page of people in the order of their ids. */
export interface PeoplePage {
  /** The id of the last person on the previous page. */
  after: string;
  limit: number;
}

/** Lists people who have to be asked about a listing. */
export const listPeopleToAsk = async (
  sql: Queryable,
  times: CheckTimes,
  { after, limit }: PeoplePage,
): Promise<string[]> => {
  const rows = await sql<{ user_id: string }[]>`
    SELECT DISTINCT l.user_id FROM listings l JOIN private.credentials c ON c.user_id = l.user_id
    WHERE ${toDueCondition(times)} AND ${toAskableCondition(times)} AND l.user_id > ${after}
    ORDER BY l.user_id LIMIT ${limit}`;
  return rows.map(({ user_id: userId }) => userId);
};

/**
 * Returns whether a person can be asked today, and keeps others from asking or suspending the person until the transaction
 * ends.
 */
export const lockPersonToAsk = async (tx: Queryable, userId: string, times: CheckTimes): Promise<boolean> => {
  const { count } = await tx`
    SELECT 1 FROM private.credentials c WHERE c.user_id = ${userId} AND ${toAskableCondition(times)} FOR NO KEY UPDATE`;
  return count > 0;
};

/** Marks a person's due listings as asked about, the longest untended first. Returns their ids. */
export const markAsked = async (tx: Queryable, userId: string, times: CheckTimes): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    WITH due AS (
      SELECT l.id FROM listings l WHERE l.user_id = ${userId} AND ${toDueCondition(times)}
      ORDER BY ${rowTendedAtSql}, l.id LIMIT ${maxListingsPerQuestion} FOR NO KEY UPDATE
    ), asked AS (
      UPDATE listings l SET asked_at = ${times.now} FROM due WHERE l.id = due.id RETURNING l.id, ${rowTendedAtSql} AS tended_at
    ), person AS (
      UPDATE private.credentials SET availability_asked_at = ${times.now}
      WHERE user_id = ${userId} AND EXISTS (SELECT FROM asked)
    )
    SELECT id FROM asked ORDER BY tended_at, id`;
  return rows.map(({ id }) => id);
};

/** Lists people whose time to answer a question has passed. */
export const listPeopleWithoutAnswer = async (
  sql: Queryable,
  askedBefore: Date,
  { after, limit }: PeoplePage,
): Promise<string[]> => {
  const rows = await sql<{ user_id: string }[]>`
    SELECT DISTINCT user_id FROM listings
    WHERE status = 'published' AND asked_at <= ${askedBefore} AND user_id > ${after}
    ORDER BY user_id LIMIT ${limit}`;
  return rows.map(({ user_id: userId }) => userId);
};

/**
 * Locks a person's listings whose time to answer has passed, against new deals as well, and returns them.
 */
export const lockUnansweredListings = (
  tx: Queryable,
  userId: string,
  askedBefore: Date,
): Promise<readonly Pick<OwnedListing, 'id' | 'category'>[]> =>
  tx<Pick<OwnedListing, 'id' | 'category'>[]>`
    SELECT id, category FROM listings WHERE user_id = ${userId} AND status = 'published' AND asked_at <= ${askedBefore}
    ORDER BY id FOR NO KEY UPDATE`;

/**
 * Returns whether a listing has to be paused because its question is still open. While the item is rented out, it is not.
 */
export const isUnanswered = async (tx: Queryable, id: string, today: string): Promise<boolean> => {
  const { count } = await tx`
    SELECT 1 FROM listings l
    WHERE l.id = ${id} AND ${toQuestionOpenCondition(today)} AND NOT ${toRentedOutCondition(today)}`;
  return count > 0;
};

/** Pauses a listing: it becomes a draft that keeps its page. */
export const pauseListing = async (tx: Queryable, id: string, now: Date): Promise<void> => {
  await tx`
    WITH ${toPublicPriceRecord(id, now)}
    UPDATE listings SET status = 'draft', paused_at = ${now} WHERE id = ${id}`;
};

export const withdrawQuestion = async (tx: Queryable, id: string): Promise<void> => {
  await tx`UPDATE listings SET asked_at = NULL WHERE id = ${id}`;
};

/** The state of a question about a listing. */
export interface QuestionState {
  /** When it was asked, if the owner can still answer it: it is open, or the listing is paused because of it. */
  asked_at: Date | null;
  is_paused: boolean;
  has_open_deal: boolean;
}

const toQuestionColumns = (today: string): Fragment => fragment`
  CASE WHEN ${toQuestionOpenCondition(today)} OR ${toPausedCondition(today)} THEN l.asked_at END AS asked_at,
  ${toPausedCondition(today)} AS is_paused, ${hasOpenDealCondition} AS has_open_deal`;

export const findQuestionState = async (
  tx: Queryable,
  { id }: OwnedListing,
  today: string,
): Promise<QuestionState> => {
  const [row] = await tx<
    QuestionState[]
  >`SELECT ${toQuestionColumns(today)} FROM listings l WHERE l.id = ${id}`;
  return row ?? { asked_at: null, is_paused: false, has_open_deal: false };
};

/** A listing as the page of a link in an email shows it. */
export interface AskedListing {
  title: string;
  /** URL of the first photo, if the listing has one. */
  photo_url: string | null;
}

/**
 * Finds a listing of a person that was neither deleted nor taken down, with the state of the question about it and whether
 * the person is suspended.
 */
export const findAskedListing = async (
  sql: Queryable,
  { userId, listingId, today }: { userId: string; listingId: string; today: string },
): Promise<(AskedListing & QuestionState & { is_suspended: boolean }) | undefined> => {
  const [row] = await sql<(AskedListing & QuestionState & { is_suspended: boolean })[]>`
    SELECT coalesce(l.title, '') AS title, l.photos[1] AS photo_url, c.suspended_at IS NOT NULL AS is_suspended,
      ${toQuestionColumns(today)}
    FROM listings l JOIN private.credentials c ON c.user_id = l.user_id
    WHERE l.id = ${listingId} AND l.user_id = ${userId} AND l.deleted_at IS NULL
      AND coalesce(l.hidden_with <> 'listing', true)`;
  return row;
};

/** Records that the owner of a published listing said that it is available. */
export const confirmAvailability = async (tx: Queryable, { id }: OwnedListing, now: Date): Promise<void> => {
  await tx`UPDATE listings SET confirmed_at = ${now}, asked_at = NULL WHERE id = ${id}`;
};
