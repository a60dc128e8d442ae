import type { Campus } from '#contract/campus.ts';
import type { SearchAlertFrequency } from '#contract/saved-searches.ts';
import type { Queryable, Transaction } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';
import {
  matchingDelaySeconds,
  type SearchContext,
  toAlertTimeSql,
  toMatchCondition,
  toTimeAfterResultsSql,
  untilMatchedAgain,
} from './sql.ts';

/** Queues a listing that is being published, to be matched at `dueAt`. */
export const queuePublishedListing = async (tx: Queryable, listingId: string, dueAt: Date): Promise<void> => {
  await tx`
    INSERT INTO listings_to_match (listing_id, due_at) VALUES (${listingId}, ${dueAt})
    ON CONFLICT (listing_id) DO UPDATE SET before = NULL, due_at = excluded.due_at`;
};

/**
 * Queues a published listing that is about to be edited, to be matched at `dueAt`. A listing that is
 * already queued keeps its time and its earlier state.
 */
export const queueEditedListing = async (tx: Queryable, listingId: string, dueAt: Date): Promise<void> => {
  // This update changes nothing but locks the row, so that a job cannot remove it before the edit
  // is committed.
  await tx`
    INSERT INTO listings_to_match (listing_id, before, due_at)
    SELECT l.id, to_jsonb(l) - 'contact_email' - 'contact_phone', ${dueAt} FROM listings l WHERE l.id = ${listingId}
    ON CONFLICT (listing_id) DO UPDATE SET due_at = listings_to_match.due_at`;
};

/** Returns SQL for the time at which the listings of a seller are matched who is away until a day. */
const toReturnTimeSql = (until: Fragment, { timezone }: Pick<Campus, 'timezone'>): Fragment =>
  fragment`(${until}::timestamp AT TIME ZONE ${timezone}) + ${matchingDelaySeconds}::int * interval '1 second'`;

/**
 * Queues the published listings of a seller who is away until a day, to be matched when the seller is back. They are then
 * like edited listings: searches that already found them match only if they were saved after the seller left.
 */
export const queueAwayListings = async (
  tx: Queryable,
  userId: string,
  { until, now, campus }: SearchContext & { until: string },
): Promise<void> => {
  const leftAt = fragment`jsonb_build_object('left_at', ${now}::timestamptz)`;
  await tx`
    INSERT INTO listings_to_match AS queued (listing_id, before, due_at)
    SELECT l.id, to_jsonb(l) - 'contact_email' - 'contact_phone' - 'away_until' || ${leftAt},
      ${toReturnTimeSql(fragment`${until}::date`, campus)}
    FROM listings l WHERE l.user_id = ${userId} AND l.status = 'published'
    ON CONFLICT (listing_id) DO UPDATE SET before = ${leftAt} || queued.before, due_at = excluded.due_at`;
};

/** Lets the listings of a seller who is back earlier be matched at `dueAt`. */
export const advanceReturningListings = async (tx: Queryable, userId: string, dueAt: Date): Promise<void> => {
  await tx`
    UPDATE listings_to_match w SET due_at = ${dueAt}
    FROM listings l WHERE l.id = w.listing_id AND l.user_id = ${userId} AND w.due_at > ${dueAt}`;
};

/** Postpones matching a listing until its seller, who is away, is back. */
export const postponeToReturn = async (
  tx: Queryable,
  listingId: string,
  campus: Pick<Campus, 'timezone'>,
): Promise<void> => {
  await tx`
    UPDATE listings_to_match w SET due_at = ${toReturnTimeSql(fragment`l.away_until`, campus)}
    FROM listings l WHERE l.id = w.listing_id AND l.id = ${listingId}`;
};

export interface ListingToMatch
  extends Pick<Tables['listings'], 'id' | 'status' | 'category' | 'folded_text' | 'isbn' | 'away_until'> {
  search_text: string;
  due_at: Date;
  /** Whether the listing was already published, and has only been edited. */
  is_edited: boolean;
}

/**
 * Finds a listing in the queue that is due and locks its entry until the transaction ends. Returns undefined when
 * there is none. Deleted and taken-down listings stay queued until they are restored or removed.
 */
export const findAndLockListingToMatch = async (
  tx: Transaction,
  now: Date,
): Promise<ListingToMatch | undefined> => {
  const [row] = await tx<ListingToMatch[]>`
    SELECT l.id, l.status, l.category, l.search_text, l.folded_text, l.isbn, l.away_until, w.due_at, w.before IS NOT NULL AS is_edited
    FROM listings_to_match w JOIN listings l ON l.id = w.listing_id
    WHERE w.due_at <= ${now} AND l.deleted_at IS NULL AND l.hidden_at IS NULL
    ORDER BY w.due_at LIMIT 1 FOR UPDATE OF w SKIP LOCKED`;
  return row;
};

export const removeListingToMatch = async (tx: Queryable, listingId: string): Promise<void> => {
  await tx`DELETE FROM listings_to_match WHERE listing_id = ${listingId}`;
};

/**
 * Stores the matches of a listing: all saved searches that find it, except those of its owner,
 * those that it has matched before, and those that already found it before an edit or before its seller left. A match
 * that waits until it matches again counts as a new one, also if the edit before this one took the listing out of the
 * results. A match is not announced if the person has visited the results since `changedAt`, when the listing was
 * published or edited. `textKeys` are the keys of the listing's texts.
 */
export const insertMatches = async (
  tx: Transaction,
  { id, category }: Pick<ListingToMatch, 'id' | 'category'>,
  { textKeys, changedAt, ...moment }: SearchContext & { textKeys: readonly string[]; changedAt: Date },
): Promise<void> => {
  const condition = toMatchCondition(moment);
  // Disable just-in-time compilation, because compiling the statement takes longer than running it.
  await tx`SET LOCAL jit = off`;
  await tx`
    WITH candidates AS (
      SELECT * FROM saved_searches WHERE text_key = ANY (${textKeys}::text[])
      UNION ALL SELECT * FROM saved_searches WHERE text_key IS NULL AND category = ${category}
      UNION ALL SELECT * FROM saved_searches WHERE text_key IS NULL AND category IS NULL
    ), before AS MATERIALIZED (
      SELECT r.*, (w.before ->> 'left_at')::timestamptz AS left_at
      FROM listings_to_match w, jsonb_populate_record(NULL::listings, w.before) r
      WHERE w.listing_id = ${id} AND w.before IS NOT NULL
    )
    INSERT INTO saved_search_matches (search_id, listing_id, matched_at, announce_at)
    SELECT s.id, l.id, ${changedAt}, CASE WHEN s.visited_at <= ${changedAt} THEN ${toAlertTimeSql(moment)} END
    FROM candidates s, listings l
    WHERE l.id = ${id} AND s.user_id <> l.user_id AND ${condition}
      AND coalesce(
        -- Other existing matches must not reach the update, which would lock every one of them.
        (SELECT m.announce_at IS NOT DISTINCT FROM ${untilMatchedAgain} FROM saved_search_matches m
          WHERE m.search_id = s.id AND m.listing_id = l.id),
        NOT EXISTS (
          SELECT FROM before l WHERE (l.left_at IS NULL OR s.created_at <= l.left_at) AND ${condition}))
    ON CONFLICT (search_id, listing_id) DO UPDATE
      SET matched_at = excluded.matched_at, announce_at = excluded.announce_at
      WHERE saved_search_matches.announce_at = ${untilMatchedAgain}`;
};

/** Locks some searches with matches that are due to be announced, and returns their ids. */
export const lockSearchesToAnnounce = async (
  tx: Transaction,
  now: Date,
  limit: number,
): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    SELECT id FROM saved_searches
    WHERE deleted_at IS NULL AND id IN (
      SELECT DISTINCT m.search_id FROM saved_search_matches m JOIN saved_searches s ON s.id = m.search_id
      WHERE m.announce_at <= ${now} AND s.deleted_at IS NULL LIMIT ${limit})
    FOR NO KEY UPDATE SKIP LOCKED`;
  return rows.map(({ id }) => id);
};

/** Removes the matches of listings and searches that no longer exist. */
export const removeStaleMatches = async (sql: Queryable): Promise<void> => {
  await sql`
    DELETE FROM saved_search_matches m
    WHERE NOT EXISTS (SELECT FROM listings l WHERE l.id = m.listing_id)
      OR NOT EXISTS (SELECT FROM saved_searches s WHERE s.id = m.search_id)`;
};

/** Reschedules a person's matches that have not been announced, after the person changed the hour of daily alerts. */
export const rescheduleDailyAlerts = async (
  tx: Queryable,
  userId: string,
  moment: SearchContext,
): Promise<void> => {
  await tx`
    UPDATE saved_search_matches m SET announce_at = ${toAlertTimeSql(moment)} FROM saved_searches s
    WHERE s.user_id = ${userId} AND s.alert = 'daily' AND m.search_id = s.id AND m.announce_at < ${untilMatchedAgain}`;
};

/**
 * Marks the matches that were due before now as announced after a restore, because the server from
 * which the backup came has announced them.
 */
export const skipDueAlerts = async (tx: Queryable): Promise<void> => {
  await tx`UPDATE saved_search_matches SET announce_at = NULL WHERE announce_at < now()`;
};

/** The matches of a search that are announced together, newest listing first. */
export interface SearchMatches {
  userId: string;
  searchId: string;
  listingIds: string[];
  alert: Exclude<SearchAlertFrequency, 'off'>;
}

/**
 * Marks the due matches of these searches that still match as announced and returns them. Postpones the others until they
 * match again, and the matches of a search whose last alert is too recent.
 */
export const takeMatchesToAnnounce = async (
  tx: Transaction,
  searchIds: readonly string[],
  moment: SearchContext,
): Promise<readonly SearchMatches[]> => {
  const { now } = moment;
  return tx<SearchMatches[]>`
    WITH due AS (
      UPDATE saved_search_matches m SET announce_at = CASE WHEN s.announced_at IS NULL OR s.alert <> 'instant'
        OR ${toAlertTimeSql(moment)} <= ${now}
        THEN ${toTimeAfterResultsSql(moment)}
        ELSE ${toAlertTimeSql(moment)} END
      FROM saved_searches s
      WHERE s.id = m.search_id AND s.id = ANY (${searchIds}::uuid[]) AND m.announce_at <= ${now}
      RETURNING m.search_id, m.listing_id, m.announce_at
    ), grouped AS (
      SELECT s.id, s.user_id, s.alert, array_agg(l.id ORDER BY l.created_at DESC, l.id DESC) AS listing_ids
      FROM due JOIN saved_searches s ON s.id = due.search_id JOIN listings l ON l.id = due.listing_id
      WHERE due.announce_at IS NULL
      GROUP BY s.id
    )
    UPDATE saved_searches s SET announced_at = ${now} FROM grouped g WHERE s.id = g.id
    RETURNING g.user_id AS "userId", g.id AS "searchId",
      g.listing_ids AS "listingIds", g.alert`;
};
