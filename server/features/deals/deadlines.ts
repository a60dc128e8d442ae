import type { CampusTimeZone } from '#contract/campus.ts';
import { type DealDeadlineRule, dealDurationSeconds } from '#contract/deal-transitions.ts';
import { addSeconds } from '#server/platform/clock.ts';

/** Hours of the day, in the campus time zone, between which no deadline falls. */
const night = { begins: 22, ends: 9 } as const;
/** The hold for a rental lasts at least until this time on the day before the rental begins. */
const rentalHoldEnds = Temporal.PlainTime.from('18:00');

const toDate = (time: Temporal.ZonedDateTime): Date => new Date(time.epochMilliseconds);

/**
 * Returns the deadline, or 9:00 of the next morning when it falls between 22:00 and 9:00 in the
 * campus time zone.
 */
export const postponeToMorning = (deadline: Date, { timezone }: CampusTimeZone): Date => {
  const local = Temporal.Instant.fromEpochMilliseconds(deadline.getTime()).toZonedDateTimeISO(timezone);
  if (local.hour >= night.ends && local.hour < night.begins) return deadline;
  const morning = local.hour < night.ends ? local : local.add({ days: 1 });
  return toDate(morning.withPlainTime({ hour: night.ends }));
};

/** The fields of a deal that determine its deadlines. */
export interface DeadlineFacts {
  hold_hours: number;
  first_day: string | null;
  deadline_at: Date | null;
  handover_at: Date | null;
}

const findLatest = (first: Date, ...others: Date[]): Date =>
  others.reduce((latest, date) => (date > latest ? date : latest), first);

/**
 * Returns the end of a hold: `end` or, for a rental, `rentalHoldEnds` on the day before its first day if that is
 * later.
 */
const extendToFirstDay = (
  end: Date,
  { first_day: firstDay }: DeadlineFacts,
  { timezone }: CampusTimeZone,
): Date => {
  if (firstDay === null) return end;
  const earliest = Temporal.PlainDate.from(firstDay)
    .subtract({ days: 1 })
    .toZonedDateTime({ timeZone: timezone, plainTime: rentalHoldEnds });
  return findLatest(end, toDate(earliest));
};

/** Returns the deadline, or `latest` if that is earlier. */
export const endNoLaterThan = (deadline: Date | null, latest: Date | undefined): Date | null =>
  deadline && latest && latest < deadline ? latest : deadline;

/** How long before the end of the day before the game the hold of tickets ends, so that they can still go to somebody else. */
const hoursFromHoldEndToMidnight = 2;

/**
 * Returns when a hold of tickets for a game on this day (YYYY-MM-DD) has to end at the latest: two hours before the end of
 * the day before, or with the day of the game if it was accepted later. Returns undefined once that day has ended, because
 * people who met there still have to confirm the handover.
 */
export const findLatestTicketHoldEnd = (
  gameDay: string,
  now: Date,
  { timezone }: CampusTimeZone,
): Date | undefined => {
  const startOfGameDay = Temporal.PlainDate.from(gameDay).toZonedDateTime(timezone);
  const ends = [
    startOfGameDay.subtract({ hours: hoursFromHoldEndToMidnight }),
    startOfGameDay.add({ days: 1 }).startOfDay(),
  ];
  return ends.map(toDate).find((end) => now < end);
};

const computeHandoverEnd = (handoverAt: Date | null, now: Date): Date =>
  addSeconds(handoverAt ?? now, dealDurationSeconds.silenceAfterHandover);

/**
 * Returns the deadline that a transition at `now` sets, postponed to the morning if it falls in the night,
 * or null when the transition sets none (deals.md, "The clock decides"). `deal` has its fields after the transition,
 * but still the previous deadline.
 */
export const computeDeadline = (
  rule: DealDeadlineRule | undefined,
  deal: DeadlineFacts,
  now: Date,
  campus: CampusTimeZone,
): Date | null => {
  const previous = deal.deadline_at ?? now;
  switch (rule) {
    case undefined:
      return null;
    case 'unchanged':
      return deal.deadline_at;
    case 'answer':
      return postponeToMorning(addSeconds(now, dealDurationSeconds.answer), campus);
    case 'confirm':
      return postponeToMorning(addSeconds(now, dealDurationSeconds.confirm), campus);
    case 'hold':
      return postponeToMorning(
        extendToFirstDay(addSeconds(now, deal.hold_hours * 3600), deal, campus),
        campus,
      );
    case 'reopened_hold': {
      const end = extendToFirstDay(addSeconds(now, dealDurationSeconds.confirm), deal, campus);
      return postponeToMorning(
        deal.handover_at ? findLatest(end, computeHandoverEnd(deal.handover_at, now)) : end,
        campus,
      );
    }
    case 'longer_hold':
      return postponeToMorning(addSeconds(previous, deal.hold_hours * 3600), campus);
    case 'agreed_in_chat':
      return postponeToMorning(addSeconds(previous, dealDurationSeconds.holdAgreedInChat), campus);
    case 'handover':
      return postponeToMorning(computeHandoverEnd(deal.handover_at, now), campus);
  }
};
