import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/process/log.ts';
import { openDatabase } from './database.ts';

/** Maximum difference between the clocks of this machine and the database, in ms. */
const toleranceMs = 2_000;
const defaultIntervalMs = 60_000;

/** Monitors whether the clock of this machine agrees with that of the database. */
export interface ClockSkewWatch {
  /** Compares the clocks immediately instead of waiting for the next minute. Never rejects. */
  check(): Promise<void>;
  stop(): void;
}

/**
 * Compares the clock of this machine with that of the database every minute, and logs one line when they
 * differ by more than two seconds. One machine sets the expiry of a code, token or lease, and another checks
 * it, so clocks that differ make codes, tokens and leases end early or late.
 */
export const watchClockSkew = (
  databaseUrl: string,
  { clock, log, intervalMs = defaultIntervalMs }: { clock: Clock; log: Log; intervalMs?: number },
): ClockSkewWatch => {
  let isDifferent = false;

  const readDifferenceMs = async (): Promise<number> => {
    // Open a new connection for each comparison, so that none stays open between comparisons.
    const sql = openDatabase(databaseUrl, { max: 1, prepare: false });
    try {
      await sql`SELECT 1`;
      const before = clock.now().getTime();
      const [row] = await sql<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
      const after = clock.now().getTime();
      const difference = (before + after) / 2 - (row?.now.getTime() ?? before);
      // The database read its clock at an unknown moment between the two local readings, so differences of up
      // to half the time between these readings do not count.
      return Math.abs(difference) > (after - before) / 2 + toleranceMs ? difference : 0;
    } finally {
      await sql.end({ timeout: 1 });
    }
  };

  const check = async (): Promise<void> => {
    const difference = await readDifferenceMs().catch(() => undefined);
    // Ignore an unreachable database here, because `/readyz` reports it.
    if (difference === undefined || (difference !== 0) === isDifferent) return;
    isDifferent = difference !== 0;
    if (!isDifferent) {
      log.info('the clocks of this machine and the database agree again');
      return;
    }
    const seconds = (Math.abs(difference) / 1000).toFixed(1);
    const direction = difference > 0 ? 'ahead of' : 'behind';
    log.warn(
      `the clock of this machine is ${seconds} s ${direction} that of the database; synchronize the clocks of all machines`,
    );
  };
  const timer = setInterval(() => void check(), intervalMs);
  timer.unref();
  return { check, stop: () => clearInterval(timer) };
};
