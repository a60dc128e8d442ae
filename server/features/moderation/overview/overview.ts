import { toCampusDay } from '#contract/campus.ts';
import {
  type ConsoleOverview,
  type OverviewPeriod,
  overviewDays,
  overviewWeeks,
} from '#contract/console-overview.ts';
import { addDays } from '#contract/days.ts';
import type { App } from '#server/app.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { type CountedTable, countByDay, type DayCount, findOpenCaseStatistics } from './repository.ts';

const counted: readonly CountedTable[] = ['sign_ups', 'listings', 'deals', 'cases'];

/** Returns the Monday of the week of a day (YYYY-MM-DD). */
const getMonday = (day: string): string =>
  addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

/** Returns the sums of the counts over periods of `length` days that begin on the given days. */
const sumPeriods = (
  firstDays: readonly string[],
  length: number,
  counts: Record<CountedTable, DayCount[]>,
): OverviewPeriod[] =>
  firstDays.map((from) => {
    const end = addDays(from, length);
    const sum = (what: CountedTable) =>
      counts[what]
        .filter(({ day }) => day >= from && day < end)
        .reduce((total, { count }) => total + count, 0);
    return {
      from,
      sign_ups: sum('sign_ups'),
      listings: sum('listings'),
      deals: sum('deals'),
      cases: sum('cases'),
    };
  });

/** Counts the sign-ups, listings, deals and cases of the last weeks, for the overview of the console. */
export const countOverview = async ({ sql, clock, config }: App): Promise<ConsoleOverview> => {
  const { campus } = config;
  const { timezone } = campus;
  const now = clock.now();
  const today = toCampusDay(campus, now);
  // Load one day more than the weeks cover, because a day on the campus does not begin at midnight UTC.
  const since = addSeconds(now, -(overviewWeeks * 7 + 1) * dayInSeconds);
  const lists = await Promise.all(
    counted.map((what) => countByDay(sql, what, { since, until: now, timezone })),
  );
  const [sign_ups = [], listings = [], deals = [], cases = []] = lists;
  const counts = { sign_ups, listings, deals, cases };
  const open = await findOpenCaseStatistics(sql, since);
  const firstDays = Array.from({ length: overviewDays }, (_, index) =>
    addDays(today, index + 1 - overviewDays),
  );
  const monday = getMonday(today);
  const mondays = Array.from({ length: overviewWeeks }, (_, index) =>
    addDays(monday, 7 * (index + 1 - overviewWeeks)),
  );
  return {
    days: sumPeriods(firstDays, 1, counts),
    weeks: sumPeriods(mondays, 7, counts),
    open_cases: open.open_cases,
    oldest_case_at: open.oldest_case_at?.toISOString() ?? null,
    median_seconds_to_action: open.median_seconds_to_action,
  };
};

/** Returns the overview of the console, which may be up to a minute old. */
export const getOverview = (app: App): Promise<ConsoleOverview> =>
  app.overviewCache.get(app.clock.now(), () => countOverview(app));
