import { type Campus, toCampusDay } from '#contract/campus.ts';
import { resolveGameDateRange } from '#contract/game-days.ts';
import { gameDateRanges } from '#contract/listing-queries.ts';
import { toBlockedSql } from '#server/features/blocks/sql.ts';
import { toCategoryByLabelSql, toStoredFilterCondition } from '#server/features/listings/sql.ts';
import { toDigestHourSql } from '#server/features/notifications/sql.ts';
import {
  type Fragment,
  fragment,
  quoteLiteral,
  trustedSql,
} from '#server/platform/postgres/sql-fragments.ts';

export { chooseTextKey, listTextKeys } from './text-keys.ts';

/** How long after its publication or edit a listing is matched, in seconds. */
export const matchingDelaySeconds = 60;

/** Minimum time between two announcements of a search with instant alerts, in seconds. */
const instantAlertSeconds = 15 * 60;

const blockedSql = trustedSql(toBlockedSql('s.user_id', 'l.user_id'));

/** The current time and the campus, which determine the results of a search and the times of its alerts. */
export interface SearchContext {
  now: Date;
  campus: Campus;
}

/**
 * Returns the SQL condition that the saved search `s` finds the listing `l`, with the same rules as
 * the search page, and that the person who saved it has not blocked the seller.
 */
export const toMatchCondition = ({ now, campus }: SearchContext): Fragment => {
  const ranges = gameDateRanges.map((range) => ({ range, ...resolveGameDateRange(range, campus, now) }));
  const chooseDay = (end: 'from' | 'to'): Fragment => {
    const cases = ranges.map((days) => fragment`WHEN ${quoteLiteral(days.range)} THEN ${days[end]}::date`);
    return fragment`CASE s.game_date ${cases.reduce((all, next) => fragment`${all} ${next}`)} END`;
  };
  const text = fragment`nullif(private.fold(s.lowered_text), '')`;
  const found = toStoredFilterCondition(
    {
      category: fragment`s.category`,
      text,
      exactText: fragment`s.lowered_text`,
      textCategory: toCategoryByLabelSql(text, campus.mascot),
      minPrice: fragment`s.min_price`,
      maxPrice: fragment`s.max_price`,
      condition: fragment`s.condition`,
      location: fragment`nullif(private.fold(s.query ->> 'location'), '')`,
      isVerified: fragment`s.is_verified`,
      isAvailable: fragment`s.is_available`,
      firstGameDay: chooseDay('from'),
      lastGameDay: chooseDay('to'),
      kind: fragment`s.kind`,
      seller: fragment`s.seller`,
      textIsbn: fragment`s.searched_isbn`,
      query: fragment`s.query`,
    },
    toCampusDay(campus, now),
  );
  return fragment`(${found} AND NOT ${blockedSql})`;
};

/** Returns SQL for the next time after `now` at which the person who saved the search `s` gets daily alerts. */
const toNextDigestSql = ({ now, campus }: SearchContext): Fragment => {
  const today = quoteLiteral(toCampusDay(campus, now));
  const onDay = (days: 0 | 1): Fragment =>
    fragment`((${today}::date + ${days}::int + digest.hour * interval '1 hour') AT TIME ZONE ${campus.timezone}::text)`;
  return fragment`(
    SELECT CASE WHEN ${onDay(0)} > ${now}::timestamptz THEN ${onDay(0)} ELSE ${onDay(1)} END
    FROM (SELECT ${toDigestHourSql(fragment`s.user_id`)} AS hour) AS digest)`;
};

/**
 * Returns SQL for the time at which new matches of the saved search `s` are announced, or null when they are not
 * announced.
 */
export const toAlertTimeSql = ({ now, campus }: SearchContext): Fragment => fragment`CASE s.alert
  WHEN 'instant' THEN greatest(${now}::timestamptz, s.announced_at + ${instantAlertSeconds}::int * interval '1 second')
  WHEN 'daily' THEN ${toNextDigestSql({ now, campus })} END`;

/** SQL for the alert time of a match whose listing is not among the results: the time when it matches again. */
export const untilMatchedAgain = trustedSql(`'infinity'::timestamptz`);

/**
 * Returns SQL for the alert time of the match `m` of the saved search `s` after its person was told about the results,
 * or has seen them: null when the listing is among them.
 */
export const toTimeAfterResultsSql = (moment: SearchContext): Fragment => fragment`CASE WHEN NOT EXISTS (
  SELECT FROM listings l WHERE l.id = m.listing_id AND ${toMatchCondition(moment)}) THEN ${untilMatchedAgain} END`;
