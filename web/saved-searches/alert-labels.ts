import type { SearchAlertFrequency } from '#contract/saved-searches.ts';

export const searchAlertLabels: Record<SearchAlertFrequency, string> = {
  instant: 'At once',
  daily: 'Once a day',
  off: 'Never',
};
