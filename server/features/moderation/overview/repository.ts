import type { Queryable } from '#server/platform/postgres/database.ts';
import { identifier } from '#server/platform/postgres/sql-fragments.ts';

/** Number of rows whose time is on one day (YYYY-MM-DD) in the campus time zone. */
export interface DayCount {
  day: string;
  count: number;
}

const tables = {
  sign_ups: ['users', 'created_at'],
  listings: ['listings', 'created_at'],
  deals: ['deals', 'completed_at'],
  cases: ['private.moderation_cases', 'opened_at'],
} as const;
export type CountedTable = keyof typeof tables;

/**
 * Counts the rows of a table for each day from the day of `since` on. The statement scans one range of the time
 * column's index per day, because converting the time of every row to a day would take ten times as long.
 */
export const countByDay = (
  sql: Queryable,
  what: CountedTable,
  { since, until, timezone }: { since: Date; until: Date; timezone: string },
): Promise<DayCount[]> => {
  const [table, column] = tables[what];
  return sql<DayCount[]>`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, (
      SELECT count(*) FROM ${identifier(table)}
      WHERE ${identifier(column)} >= day AT TIME ZONE ${timezone}
        AND ${identifier(column)} < (day + interval '1 day') AT TIME ZONE ${timezone}) AS count
    FROM generate_series(date_trunc('day', ${since}::timestamptz AT TIME ZONE ${timezone}),
      ${until}::timestamptz AT TIME ZONE ${timezone}, interval '1 day') AS day`;
};

export interface OpenCaseStatistics {
  open_cases: number;
  oldest_case_at: Date | null;
  median_seconds_to_action: number | null;
}

/**
 * Returns the number of open cases and the time at which the oldest of them was opened. Also returns the median time
 * from the opening to the first action, for cases opened since the given time.
 */
export const findOpenCaseStatistics = async (sql: Queryable, since: Date): Promise<OpenCaseStatistics> => {
  const [row] = await sql<OpenCaseStatistics[]>`
    SELECT count(*) AS open_cases, min(opened_at) AS oldest_case_at, (
        SELECT round(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM acted.first_at - c.opened_at)))::int
        FROM private.moderation_cases c CROSS JOIN LATERAL (
          SELECT min(applied_at) AS first_at FROM private.moderation_actions WHERE case_id = c.id
        ) AS acted
        WHERE c.opened_at >= ${since} AND acted.first_at IS NOT NULL) AS median_seconds_to_action
    FROM private.moderation_cases WHERE resolved_at IS NULL`;
  return row ?? { open_cases: 0, oldest_case_at: null, median_seconds_to_action: null };
};
