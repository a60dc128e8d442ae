import type { ListingStatus } from '#contract/listings.ts';
import { isCheckViolation, type Queryable, type Sql } from '#server/platform/postgres/database.ts';
import type { Fragment } from '#server/platform/postgres/sql-fragments.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export type StoredProfile = Pick<Tables['users'], 'id' | 'email' | 'full_name' | 'show_full_name' | 'bio'>;

export type StoredListing = Pick<
  Tables['listings'],
  'id' | 'status' | 'category' | 'title' | 'description' | 'location' | 'contact_email' | 'contact_phone'
>;

export interface StoredText {
  id: string;
  text: string;
}

/** Asks for the next rows of a table, in the order of their ids. */
export interface BatchRequest {
  after: string;
  limit: number;
}

/**
 * Returns how far each table has been checked, by the names of table and rules version: the id of the last checked row, or
 * null when the whole table has been checked.
 */
export const readProgress = async (sql: Sql): Promise<Map<string, string | null>> => {
  const rows = await sql<{ table_name: string; checked_to: string | null }[]>`
    SELECT table_name, checked_to FROM private.checked_texts`;
  return new Map(rows.map((row) => [row.table_name, row.checked_to]));
};

export const saveProgress = async (sql: Sql, table: string, checkedTo: string | null): Promise<void> => {
  await sql`
    INSERT INTO private.checked_texts (table_name, checked_to) VALUES (${table}, ${checkedTo})
    ON CONFLICT (table_name) DO UPDATE SET checked_to = excluded.checked_to`;
};

export const listStoredProfiles = (sql: Sql, { after, limit }: BatchRequest) =>
  sql<StoredProfile[]>`
    SELECT id, email, full_name, show_full_name, bio FROM users WHERE id > ${after} ORDER BY id LIMIT ${limit}`;

export const listListings = (sql: Sql, { after, limit }: BatchRequest) =>
  sql<StoredListing[]>`
    SELECT id, status, category, title, description, location, contact_email, contact_phone FROM listings
    WHERE id > ${after} ORDER BY id LIMIT ${limit}`;

/** A table in which a column contains a required text. */
export interface TextColumn {
  table: Fragment;
  column: Fragment;
}

export const listTexts = (sql: Sql, { table, column }: TextColumn, { after, limit }: BatchRequest) =>
  sql<
    StoredText[]
  >`SELECT id, ${column} AS text FROM ${table} WHERE id > ${after} ORDER BY id LIMIT ${limit}`;

/**
 * Sets the folded text of listings that were saved before the column existed, of up to `limit` listings after an id.
 * Returns the id of the last of these listings, or null if there are no more.
 */
export const foldListings = async (sql: Sql, { after, limit }: BatchRequest): Promise<string | null> => {
  const [batch] = await sql<{ count: number; last: string | null }[]>`
    SELECT count(*)::int AS count, (array_agg(id ORDER BY id DESC))[1] AS last
    FROM (SELECT id FROM listings WHERE id > ${after} ORDER BY id LIMIT ${limit}) AS batch`;
  if (!batch?.last) return null;
  // A trigger sets the folded text when one of the texts is written.
  await sql`
    UPDATE listings SET title = title
    WHERE id > ${after} AND id <= ${batch.last} AND folded_text IS NULL
      AND octet_length(search_text) > length(search_text) AND private.fold(search_text) <> search_text`;
  return batch.count < limit ? null : batch.last;
};

// The update functions below do nothing when the row was changed or deleted since it was
// read.

/** Returns whether the profile was updated. */
export const updateStoredProfile = async (
  tx: Queryable,
  old: StoredProfile,
  changed: StoredProfile,
): Promise<boolean> => {
  const { count } = await tx`
    UPDATE users SET full_name = ${changed.full_name}, show_full_name = ${changed.show_full_name}, bio = ${changed.bio}
    WHERE id = ${old.id} AND full_name IS NOT DISTINCT FROM ${old.full_name}
      AND show_full_name = ${old.show_full_name} AND bio IS NOT DISTINCT FROM ${old.bio}`;
  return count > 0;
};

/**
 * Updates the texts of a listing. A published listing becomes a draft if it is incomplete after the
 * invisible characters were removed.
 */
export const updateListing = async (sql: Sql, old: StoredListing, changed: StoredListing): Promise<void> => {
  const update = async (status: ListingStatus): Promise<void> => {
    await sql`
      UPDATE listings SET status = ${status}, title = ${changed.title}, description = ${changed.description},
        location = ${changed.location}, contact_email = ${changed.contact_email},
        contact_phone = ${changed.contact_phone}
      WHERE id = ${old.id} AND status = ${old.status} AND title IS NOT DISTINCT FROM ${old.title}
        AND description IS NOT DISTINCT FROM ${old.description} AND location IS NOT DISTINCT FROM ${old.location}
        AND contact_email IS NOT DISTINCT FROM ${old.contact_email}
        AND contact_phone IS NOT DISTINCT FROM ${old.contact_phone}`;
  };
  try {
    await update(old.status);
  } catch (error) {
    if (!isCheckViolation(error)) throw error;
    await update('draft');
  }
};

export const updateText = (
  sql: Sql,
  { table, column }: TextColumn,
  { id, text: old }: StoredText,
  { text }: StoredText,
) => sql`UPDATE ${table} SET ${column} = ${text} WHERE id = ${id} AND ${column} = ${old}`;
