import { type MeetingSpot, type MeetingSpotFacts, maxMeetingSpots } from '#contract/meeting-spots.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { toAssignments, toInsertedRows } from '#server/platform/postgres/sql-fragments.ts';

/** A meeting spot as administrators see it, including unconfirmed facts. */
export interface StoredSpot extends MeetingSpot {
  confirmed_at: Date | null;
}

export const listSpots = (sql: Queryable): Promise<StoredSpot[]> =>
  sql<StoredSpot[]>`
    SELECT id, name, landmark, is_indoors, is_lit, has_camera_or_phone, opening_hours, confirmed_at
    FROM meeting_spots WHERE removed_at IS NULL ORDER BY lower(name), id LIMIT ${maxMeetingSpots}`;

/** Finds a meeting spot by id or name and locks it until the transaction ends. */
export const findAndLockSpot = async (tx: Queryable, idOrName: string): Promise<StoredSpot | undefined> => {
  const [row] = await tx<StoredSpot[]>`
    SELECT id, name, landmark, is_indoors, is_lit, has_camera_or_phone, opening_hours, confirmed_at
    FROM meeting_spots
    WHERE removed_at IS NULL AND (id::text = lower(${idOrName}) OR lower(name) = lower(${idOrName})) FOR UPDATE`;
  return row;
};

export const findSpotPlace = async (
  sql: Queryable,
  id: string,
): Promise<Pick<MeetingSpot, 'name' | 'landmark'> | undefined> => {
  const [row] = await sql<Pick<MeetingSpot, 'name' | 'landmark'>[]>`
    SELECT name, landmark FROM meeting_spots WHERE id = ${id} AND removed_at IS NULL`;
  return row;
};

/** Returns the name of a removed meeting spot, or undefined if no removed spot has this id. */
export const findRemovedSpotName = async (sql: Queryable, id: string): Promise<string | undefined> => {
  const [row] = await sql<{ name: string }[]>`
    SELECT name FROM meeting_spots WHERE id::text = lower(${id}) AND removed_at IS NOT NULL`;
  return row?.name;
};

/** Adds spots unless their id was used before, even by a removed spot, or their name is taken. */
export const insertMissingSpots = async (
  sql: Queryable,
  spots: readonly Pick<MeetingSpot, 'id' | 'name' | 'landmark'>[],
): Promise<void> => {
  await sql`
    INSERT INTO meeting_spots ${toInsertedRows(spots, ['id', 'name', 'landmark'])} ON CONFLICT DO NOTHING`;
};

/** Makes concurrent additions wait for each other, so that the maximum number of spots holds. */
export const lockSpots = async (tx: Queryable): Promise<void> => {
  await tx`LOCK TABLE meeting_spots IN SHARE ROW EXCLUSIVE MODE`;
};

export const insertSpot = async (tx: Queryable, facts: MeetingSpotFacts): Promise<void> => {
  await tx`INSERT INTO meeting_spots ${toInsertedRows(facts)}`;
};

export const updateSpot = async (
  tx: Queryable,
  { id, ...facts }: MeetingSpotFacts & { id: string; confirmed_at: Date | null },
): Promise<void> => {
  await tx`UPDATE meeting_spots SET ${toAssignments(facts)} WHERE id = ${id}`;
};

export const markSpotRemoved = async (
  tx: Queryable,
  { id, now }: { id: string; now: Date },
): Promise<void> => {
  await tx`UPDATE meeting_spots SET removed_at = ${now} WHERE id = ${id}`;
};
