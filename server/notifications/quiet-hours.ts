import type { Campus } from '#contract/campus.ts';
import { getDateFormat } from '#contract/date-format.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

/** Returns the hour of the day on the campus (0 to 23). */
export const getCampusHour = ({ timezone }: Pick<Campus, 'timezone'>, instant: Date): number =>
  Number(getDateFormat('en-GB', { timeZone: timezone, hour: '2-digit', hourCycle: 'h23' }).format(instant));

/** SQL condition: the hour is within the quiet hours of the person whose settings, if any, are in `s`. */
export const toQuietCondition = (hour: number): Fragment => {
  const [from, until] = [fragment`coalesce(s.quiet_from, 22)`, fragment`coalesce(s.quiet_until, 8)`];
  return fragment`(CASE WHEN ${from} <= ${until} THEN ${hour}::int >= ${from} AND ${hour}::int < ${until}
    ELSE ${hour}::int >= ${from} OR ${hour}::int < ${until} END)`;
};
