/** The server's source of time, as a port. Tests pass their own. */
export interface Clock {
  now(): Date;
  /** Monotonic milliseconds since an arbitrary origin, for measuring durations. */
  elapsed(): number;
}

/** The system clock. */
export const systemClock: Clock = { now: () => new Date(), elapsed: () => performance.now() };

/** Returns the instant `seconds` after `date`; a negative value gives an earlier one. */
export const secondsAfter = (instant: Date, seconds: number): Date =>
  new Date(instant.getTime() + seconds * 1000);
