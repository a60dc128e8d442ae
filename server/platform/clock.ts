/** The server's source of time. Tests pass their own implementation. */
export interface Clock {
  now(): Date;
  /** Monotonic milliseconds since an arbitrary origin, for measuring durations. */
  elapsed(): number;
}

/** The operating system's clock. */
export const systemClock: Clock = { now: () => new Date(), elapsed: () => performance.now() };

export const hourInSeconds = 3600;
export const dayInSeconds = 24 * hourInSeconds;

/** Returns when the calendar day of `instant` ends in an IANA time zone; a day can have 23 or 25 hours. */
export const getEndOfDay = (instant: Date, timeZone: string): Date => {
  const { epochMilliseconds } = Temporal.Instant.fromEpochMilliseconds(instant.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .add({ days: 1 })
    .toZonedDateTime(timeZone);
  return new Date(epochMilliseconds);
};

/** Returns the time `seconds` after `instant`; negative values return an earlier time. */
export const addSeconds = (instant: Date, seconds: number): Date =>
  new Date(instant.getTime() + seconds * 1000);
