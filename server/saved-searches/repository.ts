import type { SavedQuery } from '#contract/listing-queries.ts';
import type { SearchAlert } from '#contract/saved-searches.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';

export interface SavedSearchRow {
  id: string;
  name: string;
  query: SavedQuery;
  alert: SearchAlert;
  created_at: Date;
}

const rowColumns = ['id', 'name', 'query', 'alert', 'created_at'];

/**
 * Locks a person until the transaction ends, so that one transaction at a time adds searches to theirs. Returns false
 * when the account does not exist.
 */
export const lockPerson = async (tx: Queryable, userId: string): Promise<boolean> => {
  const { count } = await tx`SELECT 1 FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
  return count === 1;
};

/** Lists the searches that a person saved, the latest first. */
export const listSavedSearches = (sql: Queryable, userId: string): Promise<SavedSearchRow[]> =>
  sql<SavedSearchRow[]>`
    SELECT ${sql(rowColumns)} FROM saved_searches WHERE user_id = ${userId} ORDER BY created_at DESC, id DESC`;

/** Finds a person's search and locks it until the transaction ends. */
export const findAndLockSavedSearch = async (
  tx: Queryable,
  userId: string,
  id: string,
): Promise<SavedSearchRow | undefined> => {
  const [row] = await tx<SavedSearchRow[]>`
    SELECT ${tx(rowColumns)} FROM saved_searches WHERE id = ${id} AND user_id = ${userId} FOR NO KEY UPDATE`;
  return row;
};

/** Gives the person's search with this query another name and alert; returns undefined when there is none. */
export const updateSameSearch = async (
  tx: Queryable,
  { userId, name, query, alert }: Omit<SavedSearchRow, 'id' | 'created_at'> & { userId: string },
): Promise<SavedSearchRow | undefined> => {
  const [row] = await tx<SavedSearchRow[]>`
    UPDATE saved_searches SET name = ${name}, alert = ${alert}
    WHERE user_id = ${userId} AND query = ${tx.json(query)} RETURNING ${tx(rowColumns)}`;
  return row;
};

/** Saves a search; returns undefined when the person has saved `limit` searches. */
export const insertSavedSearch = async (
  tx: Queryable,
  {
    userId,
    name,
    query,
    alert,
    limit,
    now,
  }: Omit<SavedSearchRow, 'id' | 'created_at'> & { userId: string; limit: number; now: Date },
): Promise<SavedSearchRow | undefined> => {
  const [row] = await tx<SavedSearchRow[]>`
    INSERT INTO saved_searches (user_id, name, query, alert, created_at)
    SELECT ${userId}, ${name}, ${tx.json(query)}, ${alert}, ${now}
    WHERE (SELECT count(*) FROM saved_searches WHERE user_id = ${userId}) < ${limit}
    RETURNING ${tx(rowColumns)}`;
  return row;
};

export const updateSavedSearch = async (
  tx: Queryable,
  { id, name, query, alert }: Omit<SavedSearchRow, 'created_at'>,
): Promise<void> => {
  await tx`
    UPDATE saved_searches SET name = ${name}, query = ${tx.json(query)}, alert = ${alert} WHERE id = ${id}`;
};

export const deleteSavedSearch = async (sql: Queryable, userId: string, id: string): Promise<void> => {
  await sql`DELETE FROM saved_searches WHERE id = ${id} AND user_id = ${userId}`;
};
