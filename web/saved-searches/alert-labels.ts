import type { SearchAlert } from '#contract/saved-searches.ts';

export const alertLabels: Record<SearchAlert, string> = {
  instant: 'At once',
  daily: 'Once a day',
  off: 'Never',
};
