import type { Sql } from '#server/platform/postgres/database.ts';

/** A person's upload slot, exclusive until it is released or its lease ends. */
export interface UploadSlot {
  user_id: string;
  place: number;
  until: Date;
}

/**
 * Acquires one of N upload slots with a lease; undefined when all are taken. When a concurrent call acquires the same
 * slot first, tries the next one.
 */
export const acquireSlot = async (
  sql: Sql,
  { userId, slots, now, until }: { userId: string; slots: number; now: Date; until: Date },
): Promise<UploadSlot | undefined> => {
  for (let attempt = 0; attempt < slots; attempt += 1) {
    const [acquired] = await sql<UploadSlot[]>`
      INSERT INTO private.uploads_under_way AS kept (user_id, place, until)
      SELECT ${userId}, place, ${until}::timestamptz FROM generate_series(1, ${slots}::int) AS place
      WHERE NOT EXISTS (
        SELECT 1 FROM private.uploads_under_way AS other
        WHERE other.user_id = ${userId} AND other.place = place.place AND other.until > ${now})
      ORDER BY place LIMIT 1
      ON CONFLICT (user_id, place) DO UPDATE SET until = excluded.until WHERE kept.until <= ${now}
      RETURNING user_id, place, until`;
    if (acquired) return acquired;
  }
  return undefined;
};

/** Releases a slot; does nothing when its lease has ended, because another upload may have it by now. */
export const releaseSlot = async (sql: Sql, { user_id, place, until }: UploadSlot): Promise<void> => {
  await sql`
    DELETE FROM private.uploads_under_way
    WHERE user_id = ${user_id} AND place = ${place} AND until = ${until}`;
};
