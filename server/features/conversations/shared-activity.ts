import { type CampusTimeZone, toCampusDay } from '#contract/campus.ts';
import { type ActivityLevel, activeThisWeekDays } from '#contract/conversations.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';

/** Returns how lately a person was active, without the exact time. Undefined if that was too long ago. */
export const getActivityLevel = (
  at: Date | null,
  { campus, now }: { campus: CampusTimeZone; now: Date },
): ActivityLevel | undefined => {
  if (!at) return undefined;
  if (toCampusDay(campus, at) >= toCampusDay(campus, now)) return 'today';
  return at > addSeconds(now, -activeThisWeekDays * dayInSeconds) ? 'week' : undefined;
};
