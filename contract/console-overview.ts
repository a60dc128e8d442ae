import { z } from 'zod';
import { instantSchema } from './text.ts';

/**
 * The console's overview counts events per day for this many days, and per week for this many weeks; both
 * periods include today.
 */
export const overviewDays = 28;
export const overviewWeeks = 12;

const periodSchema = z.object({
  /**
   * The first day of the period, which is a day or a week (YYYY-MM-DD, campus time); weeks begin on Monday.
   */
  from: z.iso.date(),
  /** Number of accounts created in the period. */
  sign_ups: z.int(),
  /** Number of listings created in the period that still exist, including drafts. */
  listings: z.int(),
  /** Number of deals completed in the period. */
  deals: z.int(),
  /** Number of moderation cases opened in the period. */
  cases: z.int(),
});
export type OverviewPeriod = z.infer<typeof periodSchema>;

export const consoleOverviewSchema = z.object({
  days: z.array(periodSchema),
  weeks: z.array(periodSchema),
  open_cases: z.int(),
  /** When the oldest open moderation case was opened, or null when no case is open. */
  oldest_case_at: instantSchema.nullable(),
  /**
   * Median time in seconds from the opening of a case to the first action on it, for cases opened in the
   * weeks shown. Cases without an action are not counted. Null when there are no others.
   */
  median_seconds_to_action: z.int().nullable(),
});
export type ConsoleOverview = z.infer<typeof consoleOverviewSchema>;
