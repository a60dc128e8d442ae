import { retentionPeriods } from '#server/features/retention/periods.ts';
import { replaceSection } from '../generating/section.ts';

const formatDuration = (seconds: number): string => {
  if (seconds === 0) return 'no longer';
  if (seconds === 3600) return 'an hour';
  return seconds === 86_400 ? 'a day' : `${seconds / 86_400} days`;
};

/**
 * Generates the table of retention periods in docs/operations.md. The hourly clean-up job applies the same
 * periods.
 */
export const generate = () => {
  const rows = Object.values(retentionPeriods).map(
    ({ what, seconds, from }) => `| ${what} | ${formatDuration(seconds)} | ${from} |`,
  );
  const table = ['| what | kept for | after |', '|---|---|---|', ...rows].join('\n');
  return [replaceSection('docs/operations.md', 'retention', table)];
};
