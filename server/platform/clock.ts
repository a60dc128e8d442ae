/** Time as a port: what the server takes for now. Tests bring their own. */
export interface Clock {
  now(): Date;
  /** Milliseconds since some instant, for measuring how long something lasts: never set forward or back. */
  elapsed(): number;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date(), elapsed: () => performance.now() };

/** The instant `seconds` after (or, negative, before) another. */
export const secondsAfter = (instant: Date, seconds: number): Date =>
  new Date(instant.getTime() + seconds * 1000);
