import { parseIsbn } from '#contract/isbn.ts';
import type { AccountTierFacts } from '#contract/limits.ts';
import type { SavedSearchQuery } from '#contract/listing-queries.ts';
import type { SearchAlertFrequency } from '#contract/saved-searches.ts';
import { foldText } from '#contract/search-text.ts';
import {
  listNewestSearchableTexts,
  toLocationPattern,
  toSearchedText,
} from '#server/features/listings/sql.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import {
  columnList,
  type Fragment,
  fragment,
  json,
  toAssignments,
} from '#server/platform/postgres/sql-fragments.ts';
import {
  type SearchContext,
  toAlertTimeSql,
  toMatchCondition,
  toTimeAfterResultsSql,
  untilMatchedAgain,
} from './sql.ts';
import { chooseTextKey } from './text-keys.ts';

/** The fields of a saved search that its owner can change. */
export interface SearchContent {
  name: string;
  query: SavedSearchQuery;
  alert: SearchAlertFrequency;
}

export interface SavedSearchRow extends SearchContent {
  id: string;
  created_at: Date;
  visited_at: Date;
}

const rowColumns = ['id', 'name', 'query', 'alert', 'created_at', 'visited_at'];

/** Returns the columns of a query, including those by which a listing finds the searches that match it. */
const toQueryColumns = async (tx: Queryable, query: SavedSearchQuery) => {
  const searched = toSearchedText(query.q);
  const isbn = parseIsbn(query.q ?? '');
  return {
    query: json(query),
    lowered_text: searched ? (searched.exactText ?? searched.text) : null,
    text_key: searched ? chooseTextKey(searched.text, await listNewestSearchableTexts(tx), isbn) : null,
    searched_isbn: isbn ?? null,
    location_pattern: query.location ? toLocationPattern(query.location) : null,
  };
};

/**
 * Replaces the keys of earlier versions that contain an accent or a joint (`chooseTextKey`), of up to `limit` searches after
 * an id. Returns the id of the last of these searches, or null if there are no more.
 */
export const correctTextKeys = async (
  sql: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<string | null> => {
  const rows = await sql<{ id: string; text: string; key: string }[]>`
    SELECT id, lowered_text AS text, text_key AS key FROM saved_searches
    WHERE id > ${after} AND text_key !~ '^[a-z0-9]+$' ORDER BY id LIMIT ${limit}`;
  for (const { id, text, key } of rows)
    await sql`
      UPDATE saved_searches SET text_key = ${chooseTextKey(foldText(text) || text, [])}
      WHERE id = ${id} AND text_key = ${key}`;
  return rows.length < limit ? null : (rows.at(-1)?.id ?? null);
};

/**
 * Finds the facts that determine an account's tier, and locks the account until the transaction ends, so that only
 * one transaction at a time adds searches. Returns undefined when the account does not exist.
 */
export const findAndLockTierFacts = async (
  tx: Queryable,
  userId: string,
): Promise<AccountTierFacts | undefined> => {
  const [row] = await tx<{ created_at: Date; usc_verified: boolean }[]>`
    SELECT created_at, usc_verified FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  return row && { joinedAt: row.created_at, isVerified: row.usc_verified };
};

/** Returns when the person's saved searches were created, oldest first. */
export const listSearchCreationTimes = async (tx: Queryable, userId: string): Promise<Date[]> => {
  const rows = await tx<{ created_at: Date }[]>`
    SELECT created_at FROM saved_searches WHERE user_id = ${userId} AND deleted_at IS NULL ORDER BY created_at`;
  return rows.map(({ created_at }) => created_at);
};

/** Returns a query for the matches of the search `s` since the last visit that still match. */
const selectNewMatches = (moment: SearchContext): Fragment => fragment`
  SELECT l.id FROM saved_search_matches m JOIN listings l ON l.id = m.listing_id
  WHERE m.search_id = s.id AND m.matched_at >= s.visited_at AND ${toMatchCondition(moment)}`;

/**
 * Lists a person's saved searches, latest first, each with the number of matches since the last
 * visit that still match, counted up to `countedTo`.
 */
export const listSavedSearches = (
  sql: Sql,
  userId: string,
  { countedTo, ...moment }: SearchContext & { countedTo: number },
): Promise<readonly (SavedSearchRow & { new_count: number })[]> =>
  sql`
    SELECT s.id, s.name, s.query, s.alert, s.created_at, s.visited_at, (
      SELECT count(*)::int FROM (${selectNewMatches(moment)} LIMIT ${countedTo}) AS matches
    ) AS new_count
    FROM saved_searches s WHERE s.user_id = ${userId} AND s.deleted_at IS NULL ORDER BY s.created_at DESC, s.id DESC`;

/** Lists the ids of up to `limit` listings that match a search since the last visit, latest match first. */
export const listNewMatches = async (
  tx: Queryable,
  id: string,
  { limit, ...moment }: SearchContext & { limit: number },
): Promise<string[]> => {
  const rows = await tx<{ id: string }[]>`
    SELECT matches.id FROM saved_searches s CROSS JOIN LATERAL (
      ${selectNewMatches(moment)} ORDER BY m.matched_at DESC, l.id LIMIT ${limit}
    ) AS matches
    WHERE s.id = ${id}`;
  return rows.map((row) => row.id);
};

/** Finds a person's search and locks it until the transaction ends. */
export const findAndLockSavedSearch = async (
  tx: Queryable,
  userId: string,
  id: string,
): Promise<SavedSearchRow | undefined> => {
  const [row] = await tx<SavedSearchRow[]>`
    SELECT ${columnList(rowColumns)} FROM saved_searches
    WHERE id = ${id} AND user_id = ${userId} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return row;
};

/** Finds a person's search with this query and locks it until the transaction ends. */
export const findAndLockSameSearch = async (
  tx: Queryable,
  userId: string,
  query: SavedSearchQuery,
): Promise<SavedSearchRow | undefined> => {
  const [row] = await tx<SavedSearchRow[]>`
    SELECT ${columnList(rowColumns)} FROM saved_searches
    WHERE user_id = ${userId} AND query = ${json(query)} AND deleted_at IS NULL FOR NO KEY UPDATE`;
  return row;
};

/** Returns the SQL condition that a person has saved fewer than `limit` searches. */
const toRoomCondition = (userId: string, limit: number): Fragment =>
  fragment`(SELECT count(*) FROM saved_searches WHERE user_id = ${userId}::uuid AND deleted_at IS NULL) < ${limit}::int`;

/** Saves a search. Returns undefined when the person has saved `limit` searches. */
export const insertSavedSearch = async (
  tx: Queryable,
  { name, query, alert }: SearchContent,
  { userId, limit, now }: { userId: string; limit: number; now: Date },
): Promise<SavedSearchRow | undefined> => {
  const columns = await toQueryColumns(tx, query);
  const [row] = await tx<SavedSearchRow[]>`
    INSERT INTO saved_searches (user_id, name, query, lowered_text, text_key, searched_isbn, location_pattern, alert, created_at, visited_at)
    SELECT ${userId}, ${name}, ${columns.query}, ${columns.lowered_text}, ${columns.text_key},
      ${columns.searched_isbn}, ${columns.location_pattern}, ${alert}, ${now}, ${now}
    WHERE ${toRoomCondition(userId, limit)}
    RETURNING ${columnList(rowColumns)}`;
  return row;
};

export const updateSearchName = async (tx: Queryable, id: string, name: string): Promise<void> => {
  await tx`UPDATE saved_searches SET name = ${name} WHERE id = ${id}`;
};

export const updateSearchQuery = async (
  tx: Queryable,
  id: string,
  query: SavedSearchQuery,
): Promise<void> => {
  const columns = await toQueryColumns(tx, query);
  await tx`UPDATE saved_searches SET ${toAssignments(columns)} WHERE id = ${id}`;
};

/** Changes the alert of a search and updates its unannounced matches accordingly. */
export const updateSearchAlert = async (
  tx: Queryable,
  id: string,
  { alert, ...moment }: SearchContext & { alert: SearchAlertFrequency },
): Promise<void> => {
  await tx`UPDATE saved_searches SET alert = ${alert} WHERE id = ${id}`;
  await tx`
    UPDATE saved_search_matches m SET announce_at = ${toAlertTimeSql(moment)} FROM saved_searches s
    WHERE s.id = ${id} AND m.search_id = s.id AND m.announce_at < ${untilMatchedAgain}`;
};

/**
 * Records that the person has looked at the results of the time `visitedAt`. The matches among them are no longer
 * announced; the others are once they match again. Matches of listings that changed after this time are announced.
 */
export const recordSearchVisit = async (
  tx: Queryable,
  id: string,
  { visitedAt, ...moment }: SearchContext & { visitedAt: Date },
): Promise<void> => {
  await tx`UPDATE saved_searches SET visited_at = ${visitedAt} WHERE id = ${id}`;
  await tx`
    UPDATE saved_search_matches m SET announce_at = ${toTimeAfterResultsSql(moment)} FROM saved_searches s
    WHERE s.id = ${id} AND m.search_id = s.id AND m.announce_at < ${untilMatchedAgain} AND m.matched_at < ${visitedAt}`;
};

/** Marks a search as deleted. It continues to collect matches until it is removed, so that it can be restored completely. */
export const markSearchDeleted = async (
  sql: Queryable,
  { userId, id, now }: { userId: string; id: string; now: Date },
): Promise<void> => {
  await sql`
    UPDATE saved_searches SET deleted_at = ${now} WHERE id = ${id} AND user_id = ${userId} AND deleted_at IS NULL`;
};

/**
 * Restores a search that was deleted after the given time. Returns undefined when there is none, and when the person has
 * saved `limit` other searches.
 */
export const restoreSearch = async (
  tx: Queryable,
  { userId, id, deletedAfter, limit }: { userId: string; id: string; deletedAfter: Date; limit: number },
): Promise<SavedSearchRow | undefined> => {
  const [row] = await tx<SavedSearchRow[]>`
    UPDATE saved_searches SET deleted_at = NULL
    WHERE id = ${id} AND user_id = ${userId} AND deleted_at > ${deletedAfter} AND ${toRoomCondition(userId, limit)}
    RETURNING ${columnList(rowColumns)}`;
  return row;
};

/** Removes the searches that were deleted up to the given time, with their matches. */
export const removeDeletedSearches = async (sql: Queryable, deletedUntil: Date): Promise<void> => {
  await sql`DELETE FROM saved_searches WHERE deleted_at <= ${deletedUntil}`;
};
