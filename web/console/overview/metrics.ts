import type { OverviewPeriod } from '#contract/console-overview.ts';

export const overviewMetrics = ['sign_ups', 'listings', 'deals', 'cases'] as const;
export type OverviewMetric = (typeof overviewMetrics)[number];

export const overviewMetricLabels: Record<OverviewMetric, string> = {
  sign_ups: 'Sign-ups',
  listings: 'New listings',
  deals: 'Completed deals',
  cases: 'New cases',
};

/** Returns the figures of the given days or weeks as CSV (RFC 4180) with a header row. */
export const toOverviewCsv = (periods: readonly OverviewPeriod[]): string =>
  [
    ['from', ...overviewMetrics],
    ...periods.map((period) => [period.from, ...overviewMetrics.map((it) => period[it])]),
  ]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');
