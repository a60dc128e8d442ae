import type { CampusTimeZone } from '#contract/campus.ts';
import type { DealParty } from '#contract/deal-states.ts';
import { dealDurationSeconds, overdueReminderDays } from '#contract/deal-transitions.ts';
import type { DealNoticeKind } from '#server/mail/public.ts';
import { addSeconds, hourInSeconds } from '#server/platform/clock.ts';

export interface NoticeFacts {
  state: string;
  turn: DealParty | null;
  first_day: string | null;
  last_day: string | null;
  pickup_time?: string | null;
  return_time?: string | null;
  deadline_at: Date | null;
  handover_at: Date | null;
  handover_agreed_at: Date | null;
}

/** A reminder, warning or question about a deal, which is mailed at the time `at`. */
export interface DealNotice {
  kind: DealNoticeKind;
  at: Date;
  /** After this time the notice is no longer useful and is not sent. */
  until: Date;
  to: readonly DealParty[];
  /** Of `item_not_back`: between which minutes on campus the earlier rental must have ended, so that only one notice applies. */
  earlierEnd?: { after: string; by: string };
}

/** Time of day, in the campus time zone, of the reminder on the day before a handover. */
const evening = Temporal.PlainTime.from('18:00');
/** Time of day, in the campus time zone, of emails about the days of a rental. */
const morning = Temporal.PlainTime.from('09:00');
const both: readonly DealParty[] = ['buyer', 'seller'];

const toDate = (time: Temporal.ZonedDateTime): Date => new Date(time.epochMilliseconds);
const toCampusTime = (instant: Date, { timezone }: CampusTimeZone): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timezone);
const toInstant = (
  day: string,
  { days, time, campus }: { days: number; time: Temporal.PlainTime | undefined; campus: CampusTimeZone },
): Date =>
  toDate(
    Temporal.PlainDate.from(day)
      .add({ days })
      .toZonedDateTime({ timeZone: campus.timezone, ...(time ? { plainTime: time } : {}) }),
  );

// Warnings are sent on the hour, because offers for an item often arrive within minutes of each other
// and should share one email.
const listOfferNotices = (
  { turn, deadline_at: until }: NoticeFacts,
  campus: CampusTimeZone,
): DealNotice[] => {
  if (!until || !turn) return [];
  const dayBefore = toCampusTime(until, campus).subtract({ days: 1 });
  const at = toDate(dayBefore.round({ smallestUnit: 'hour', roundingMode: 'floor' }));
  return [{ kind: 'offer_ending', at, until, to: [turn] }];
};

const listHandoverNotices = (
  { handover_at: time, handover_agreed_at: agreedAt, deadline_at: deadline }: NoticeFacts,
  campus: CampusTimeZone,
): DealNotice[] => {
  if (!time || !agreedAt) return [];
  const dayBefore = toDate(toCampusTime(time, campus).subtract({ days: 1 }).withPlainTime(evening));
  const hourBefore = addSeconds(time, -hourInSeconds);
  const reminders: DealNotice[] = [
    { kind: 'handover_day', at: dayBefore, until: hourBefore, to: both },
    { kind: 'handover_hour', at: hourBefore, until: time, to: both },
  ];
  const question = addSeconds(time, dealDurationSeconds.questionAfterHandover);
  return [
    ...reminders.filter(({ at }) => agreedAt < at),
    ...(deadline ? [{ kind: 'did_you_meet', at: question, until: deadline, to: both } as const] : []),
  ];
};

/**
 * The earlier rental may end on the same day, until the time of pick-up. So that the next renter is told when it is late, this
 * is looked at each hour from the morning of the first day on.
 */
const listNotBackNotices = (
  { pickup_time: pickup }: NoticeFacts,
  { first, last, campus }: { first: string; last: string; campus: CampusTimeZone },
): DealNotice[] => {
  const times = [pickup ? Temporal.PlainTime.from(pickup) : morning];
  for (let hour = 23; hour >= morning.hour; hour -= 1) {
    const time = Temporal.PlainTime.from({ hour });
    if (Temporal.PlainTime.compare(time, times[0] ?? morning) < 0) times.unshift(time);
  }
  const until = toInstant(last, { days: 1, time: undefined, campus });
  const toMinute = (time: Temporal.PlainTime | undefined) =>
    time ? `${first}T${time.toString({ smallestUnit: 'minute' })}` : '';
  return times.map((time, index) => ({
    kind: 'item_not_back',
    at: toInstant(first, { days: 0, time, campus }),
    until,
    to: ['buyer'],
    earlierEnd: { after: toMinute(times[index - 1]), by: toMinute(time) },
  }));
};

const listHoldNotices = (deal: NoticeFacts, campus: CampusTimeZone): DealNotice[] => {
  const { deadline_at: deadline, first_day: first, last_day: last } = deal;
  const notices = listHandoverNotices(deal, campus);
  if (deadline) {
    const at = addSeconds(deadline, -dealDurationSeconds.warningBeforeHoldEnds);
    notices.push({ kind: 'hold_ending', at, until: deadline, to: both });
  }
  if (first && last) notices.push(...listNotBackNotices(deal, { first, last, campus }));
  return notices;
};

const listOverdueNotices = (
  { last_day: last, return_time: returned }: NoticeFacts,
  campus: CampusTimeZone,
): DealNotice[] => {
  if (last === null) return [];
  const mornings = Array.from({ length: overdueReminderDays + 1 }, (_, index) =>
    toInstant(last, { days: index + 1, time: morning, campus }),
  );
  const end = returned && toInstant(last, { days: 0, time: Temporal.PlainTime.from(returned), campus });
  const times = [...(end ? [addSeconds(end, hourInSeconds)] : []), ...mornings];
  return times
    .slice(0, -1)
    .map((at, index) => ({ kind: 'overdue', at, until: times[index + 1] ?? at, to: both }));
};

/**
 * Returns the notices of a deal that are possible in its current state. Whether one is still useful when it is due
 * depends on more: see `isNoticeApplicable`.
 */
export const listPossibleNotices = (deal: NoticeFacts, campus: CampusTimeZone): DealNotice[] => {
  if (deal.state === 'offered') return listOfferNotices(deal, campus);
  if (deal.state === 'held') return listHoldNotices(deal, campus);
  return deal.state === 'handed_over' || deal.state === 'out' ? listOverdueNotices(deal, campus) : [];
};

/**
 * Returns whether a notice about a deal is still useful at `now`. `item_not_back` is useful only while an earlier
 * renter has the item although their rental has ended.
 */
export const isNoticeApplicable = (
  { earlier_rental_until: end }: { earlier_rental_until: string | null },
  { until, earlierEnd }: DealNotice,
  now: Date,
): boolean =>
  now < until && (!earlierEnd || (end !== null && end > earlierEnd.after && end <= earlierEnd.by));

/** Returns when the first notice at or after the given time is due, or null when there is none. */
export const findNextNoticeTime = (deal: NoticeFacts, from: Date, campus: CampusTimeZone): Date | null =>
  listPossibleNotices(deal, campus)
    .map(({ at }) => at)
    .filter((at) => at >= from)
    .reduce<Date | null>((first, at) => (first && first <= at ? first : at), null);

/**
 * Returns the time from which the notices of a deal have not been sent yet: the time of the earliest unsent notice
 * that is due or, if none is due, one millisecond after `now`.
 */
export const getEarliestUnsentNoticeTime = (nextNoticeAt: Date | null, now: Date): Date =>
  nextNoticeAt && nextNoticeAt <= now ? nextNoticeAt : new Date(now.getTime() + 1);
