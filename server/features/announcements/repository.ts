import type { Queryable } from '#server/platform/postgres/database.ts';
import type { Tables } from '#server/platform/postgres/tables.ts';

export type AnnouncementRow = Pick<Tables['announcement'], 'text' | 'begins_at' | 'ends_at'>;

export const findAnnouncement = async (sql: Queryable): Promise<AnnouncementRow | undefined> => {
  const [row] = await sql<AnnouncementRow[]>`SELECT text, begins_at, ends_at FROM private.announcement`;
  return row;
};

export const storeAnnouncement = async (
  tx: Queryable,
  { text, begins_at, ends_at }: AnnouncementRow,
): Promise<void> => {
  await tx`
    INSERT INTO private.announcement (text, begins_at, ends_at) VALUES (${text}, ${begins_at}, ${ends_at})
    ON CONFLICT (is_only) DO UPDATE SET text = excluded.text, begins_at = excluded.begins_at, ends_at = excluded.ends_at`;
};

/** Deletes the announcement; returns false when there was none. */
export const deleteAnnouncement = async (tx: Queryable): Promise<boolean> => {
  const { count } = await tx`DELETE FROM private.announcement`;
  return count > 0;
};
