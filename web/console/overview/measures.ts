import type { OverviewPeriod } from '#contract/console-overview.ts';

export const overviewMeasures = ['sign_ups', 'listings', 'deals', 'cases'] as const;
export type OverviewMeasure = (typeof overviewMeasures)[number];

export const overviewMeasureLabels: Record<OverviewMeasure, string> = {
  sign_ups: 'Sign-ups',
  listings: 'New listings',
  deals: 'Completed deals',
  cases: 'New cases',
};

/** Returns the figures of the given days or weeks as CSV (RFC 4180) with a header row. */
export const toOverviewCsv = (periods: readonly OverviewPeriod[]): string =>
  [
    ['from', ...overviewMeasures],
    ...periods.map((period) => [period.from, ...overviewMeasures.map((it) => period[it])]),
  ]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');
