import { type CampusTimes, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import { dealErrorMessages, maxRentalDaysAhead, type StartDealBody } from '#contract/deals.ts';
import { createFieldProblem, type Problem } from '#contract/errors.ts';
import { findExtensionRuleProblem, findRentalRuleProblem, type RentalRules } from '#contract/rental-rules.ts';
import { isRentalInOrder, isRentalOver, type RentalPeriod, toCampusMinute } from '#contract/rental-times.ts';
import type { DealWithContext } from './repository.ts';

// In this file, days are strings in the format YYYY-MM-DD, and `today` is the current date on the campus.

/** Returns whether the clocks of the campus skip a time (HH:MM) of a day, because daylight saving time begins. */
const isSkippedTime = (day: string, time: string | null | undefined, { timezone }: CampusTimes): boolean => {
  if (!time) return false;
  const wanted = Temporal.PlainDateTime.from(`${day}T${time}`);
  return !wanted.toZonedDateTime(timezone).toPlainDateTime().equals(wanted);
};

/**
 * Returns why a rental cannot be extended to a day with this time of return and under the owner's rules, or undefined when it can.
 * `period` is that of the rental after the extension, and `last_day` its present last day.
 */
export const findExtensionProblem = (
  period: RentalPeriod,
  { last_day }: { last_day: string },
  rules: RentalRules,
  { now, campus }: { now: Date; campus: CampusTimes },
): string | undefined => {
  const { last_day: day, return_time: time } = period;
  if (day <= last_day) return dealErrorMessages.lastDayLater;
  if (isRentalOver(period, toCampusMinute(campus, now))) return dealErrorMessages.lastDayPast;
  if (day > addDays(toCampusDay(campus, now), maxRentalDaysAhead)) return dealErrorMessages.dayFar;
  if (isSkippedTime(day, time, campus)) return dealErrorMessages.lastDaySkipped;
  return findExtensionRuleProblem(rules, period, campus);
};

/** Returns the period of a rental that a request asks for, or undefined when it names no days. */
export const toRentalPeriod = ({
  first_day,
  last_day,
  pickup_time,
  return_time,
}: StartDealBody): RentalPeriod | undefined =>
  first_day === undefined || last_day === undefined
    ? undefined
    : { first_day, last_day, pickup_time, return_time };

/** Returns the error for the days and times of a rental, or undefined when they can be requested under the owner's rules. */
export const findRentalPeriodProblem = (
  body: StartDealBody,
  rules: RentalRules,
  { now, campus }: { now: Date; campus: CampusTimes },
): Problem | undefined => {
  const period = toRentalPeriod(body);
  if (!period) return createFieldProblem({ first_day: dealErrorMessages.days });
  const { first_day: first, last_day: last } = period;
  const { pickup_time: pickup, return_time: returned } = body;
  const today = toCampusDay(campus, now);
  if (first < today) return createFieldProblem({ first_day: dealErrorMessages.dayPast });
  if (last < first) return createFieldProblem({ last_day: dealErrorMessages.dayOrder });
  if (last > addDays(today, maxRentalDaysAhead))
    return createFieldProblem({ last_day: dealErrorMessages.dayFar });
  if (isSkippedTime(first, pickup, campus))
    return createFieldProblem({ pickup_time: dealErrorMessages.timeSkipped });
  if (isSkippedTime(last, returned, campus))
    return createFieldProblem({ return_time: dealErrorMessages.timeSkipped });
  if (!isRentalInOrder(period)) return createFieldProblem({ return_time: dealErrorMessages.timeOrder });
  if (returned && `${last}T${returned}` <= toCampusMinute(campus, now))
    return createFieldProblem({ return_time: dealErrorMessages.timePast });
  const broken = findRentalRuleProblem(rules, period, campus);
  return broken && createFieldProblem({ [broken.field]: broken.message });
};

/** Returns whether the owner has rented the item out without a deal, at least until the first day of this rental. */
export const isRentedWithoutDeal = (
  { first_day: first, rented_until: until }: Pick<DealWithContext, 'first_day' | 'rented_until'>,
  today: string,
): boolean => first !== null && until !== null && first <= until && until >= today;

/**
 * Returns whether a rental is out after its end, or came back after it. While the owner has not confirmed the return,
 * the time of the latest transition is that of the return, or late itself.
 */
export const isReturnLate = (
  deal: Pick<DealWithContext, 'state' | 'last_day' | 'return_time' | 'changed_at'>,
  { now, campus }: { now: Date; campus: CampusTimes },
): boolean => isRentalOver(deal, toCampusMinute(campus, deal.state === 'back' ? deal.changed_at : now));
