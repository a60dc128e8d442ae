import type { OverviewPeriod } from '#contract/console-overview.ts';

export const measures = ['sign_ups', 'listings', 'deals', 'cases'] as const;
export type Measure = (typeof measures)[number];

export const measureLabels: Record<Measure, string> = {
  sign_ups: 'Sign-ups',
  listings: 'New listings',
  deals: 'Completed deals',
  cases: 'New cases',
};

/** Returns the measures of these periods as CSV (RFC 4180) with a header row. */
export const toCsv = (periods: readonly OverviewPeriod[]): string =>
  [['from', ...measures], ...periods.map((period) => [period.from, ...measures.map((it) => period[it])])]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');
