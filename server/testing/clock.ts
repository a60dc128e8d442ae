import type { Clock } from '#server/platform/clock.ts';

/** A clock that stands still until the test changes it. */
export interface TestClock extends Clock {
  advance(seconds: number): void;
  /**
   * Sets the wall clock without letting time elapse, like an administrator who corrects the clock of a
   * machine.
   */
  set(instant: Date): void;
}

export const createTestClock = (start = new Date('2026-03-02T18:00:00.000Z')): TestClock => {
  let instant = start.getTime();
  let elapsed = 0;
  return {
    now: () => new Date(instant),
    elapsed: () => elapsed,
    advance: (seconds) => {
      instant += seconds * 1000;
      elapsed += seconds * 1000;
    },
    set: (date) => {
      instant = date.getTime();
    },
  };
};
