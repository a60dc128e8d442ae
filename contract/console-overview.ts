import { z } from 'zod';
import { instantSchema } from './text.ts';

/** Number of days and of weeks that the overview covers, up to and including today. */
export const overviewDays = 28;
export const overviewWeeks = 12;

const periodSchema = z.object({
  /** The first day of the period (YYYY-MM-DD) on the campus; weeks begin on Monday. */
  from: z.iso.date(),
  /** Accounts that were created. */
  sign_ups: z.int(),
  /** Listings that were created and still exist, including drafts. */
  listings: z.int(),
  /** Deals that were completed. */
  deals: z.int(),
  /** Cases that were opened. */
  cases: z.int(),
});
export type OverviewPeriod = z.infer<typeof periodSchema>;

export const overviewSchema = z.object({
  days: z.array(periodSchema),
  weeks: z.array(periodSchema),
  open_cases: z.int(),
  /** When the oldest open case was opened; null when there is none. */
  oldest_case_at: instantSchema.nullable(),
  /** Median time in seconds from the opening of a case in these weeks to its first action; null without one. */
  median_seconds_to_action: z.int().nullable(),
});
export type Overview = z.infer<typeof overviewSchema>;
