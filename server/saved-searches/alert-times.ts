import type { Campus } from '#contract/campus.ts';

/** When daily alerts are announced, in campus time. */
const digestTime = Temporal.PlainTime.from('08:00');

/** Returns the next time after `now` at which daily alerts are announced. */
export const findNextDigest = (now: Date, { timezone }: Pick<Campus, 'timezone'>): Date => {
  const local = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timezone);
  const today = local.withPlainTime(digestTime);
  const next = Temporal.ZonedDateTime.compare(today, local) > 0 ? today : today.add({ days: 1 });
  return new Date(next.epochMilliseconds);
};
