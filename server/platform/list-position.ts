import { z } from 'zod';
import { createFieldProblem } from '#contract/errors.ts';
import { type Fragment, fragment } from './postgres/sql-fragments.ts';

/** The position of a row in a list that is ordered by time and then by id. */
export interface ListPosition {
  /** The row's time as ISO 8601 in UTC with microseconds, which a Date could not represent. */
  time: string;
  id: string;
}

/** Returns the SQL that formats a timestamptz as the `time` of a `ListPosition`. */
export const toCursorTimeSql = (time: Fragment): Fragment =>
  fragment`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

// PostgreSQL rejects timestamps in year 0.
const cursorSchema = z.tuple([z.iso.datetime().refine((instant) => !instant.startsWith('0000')), z.uuid()]);

/** Returns a position as an opaque cursor, which the client sends to request the next page. */
export const encodeListCursor = ({ time, id }: ListPosition): string =>
  Buffer.from(JSON.stringify([time, id])).toString('base64url');

/**
 * Decodes a cursor; returns undefined when no cursor is given. Throws validation_failed for a malformed
 * cursor.
 */
export const decodeListCursor = (cursor: string | undefined): ListPosition | undefined => {
  if (cursor === undefined) return undefined;
  try {
    const [time, id] = cursorSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { time, id };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof z.ZodError)) throw error;
  }
  throw createFieldProblem({ cursor: 'This place in the list cannot be found' });
};

/**
 * Returns the first `size` rows, and the cursor of the next page if there are more rows. `getTime` returns the time of a
 * row's position.
 */
export const takePage = <Row extends { id: string }>(
  rows: readonly Row[],
  size: number,
  getTime: (row: Row) => string,
): { page: Row[]; next_cursor: string | null } => {
  const page = rows.slice(0, size);
  const last = rows.length > size ? page.at(-1) : undefined;
  return { page, next_cursor: last ? encodeListCursor({ time: getTime(last), id: last.id }) : null };
};
