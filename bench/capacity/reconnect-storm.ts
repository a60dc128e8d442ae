import type { CapacityAssumptions } from './assumptions.ts';

/** The result of a simulation in which many sockets are lost at once and their clients reconnect. */
export interface ReconnectStorm {
  /** Times in seconds until half, 95 % and all of the clients have reconnected and joined their topics. */
  halfBackSeconds: number;
  mostBackSeconds: number;
  allBackSeconds: number;
  /** Number of attempts that the server served although the client had already given up. */
  wastedAttempts: number;
  /** Largest number of attempts that waited in the server's queue at the same time. */
  longestQueue: number;
}

interface StormInput {
  /** Number of clients that lost their socket. */
  clients: number;
  /**
   * Number of attempts per second that the remaining processes together can serve in addition to their other
   * work.
   */
  attemptsPerSecond: number;
}

/** Clients whose attempts to reconnect arrive in the same time step. */
interface Cohort {
  count: number;
  /** How many attempts each of these clients has made, including this one. */
  attempt: number;
  arrivedAt: number;
}

const stepSeconds = 0.05;
/**
 * The simulation stops after this time, on the assumption that the remaining clients will never reconnect.
 */
const limitSeconds = 600;

/**
 * Simulates clients that reconnect after the configured delays, in steps of 50 ms. Attempts wait in one
 * queue. The server also serves an attempt whose client has given up, because it does not know that. Such
 * attempts can keep an overloaded server so busy that no client ever reconnects; the times are then Infinity.
 */
export const simulateReconnectStorm = (
  { clients, attemptsPerSecond }: StormInput,
  { reconnectDelays, reconnectJitter, joinTimeout }: CapacityAssumptions,
): ReconnectStorm => {
  /**
   * For each time step, the number of clients that try to reconnect, keyed by the number of the attempt.
   * Attempt 1 is a client's first.
   */
  const arrivals = new Map<number, Map<number, number>>();
  /**
   * Plans the next attempt of `count` clients. Spreads the attempts evenly over the range of the random
   * delays.
   */
  const schedule = (now: number, attempt: number, count: number): void => {
    const delay = reconnectDelays[Math.min(attempt, reconnectDelays.length) - 1] ?? 1;
    const first = Math.ceil((now + delay) / stepSeconds);
    const steps = Math.max(1, Math.round((delay * reconnectJitter) / stepSeconds));
    const number = Math.min(attempt, reconnectDelays.length);
    for (let step = first; step < first + steps; step += 1) {
      const byAttempt = arrivals.get(step) ?? new Map<number, number>();
      byAttempt.set(number, (byAttempt.get(number) ?? 0) + count / steps);
      arrivals.set(step, byAttempt);
    }
  };
  schedule(0, 1, clients);

  /**
   * All cohorts in the order of arrival. The first `servedCohorts` of them have been served. The clients of
   * the first `givenUpCohorts` have given up.
   */
  const cohorts: Cohort[] = [];
  let servedCohorts = 0;
  let givenUpCohorts = 0;
  let waiting = 0;
  const storm = {
    halfBackSeconds: Number.POSITIVE_INFINITY,
    mostBackSeconds: Number.POSITIVE_INFINITY,
    allBackSeconds: Number.POSITIVE_INFINITY,
    wastedAttempts: 0,
    longestQueue: 0,
  };
  let back = 0;
  for (let step = 0; step * stepSeconds < limitSeconds; step += 1) {
    const now = step * stepSeconds;
    for (const [attempt, count] of arrivals.get(step) ?? []) {
      cohorts.push({ count, attempt, arrivedAt: now });
      waiting += count;
    }
    arrivals.delete(step);
    for (;;) {
      const cohort = cohorts[givenUpCohorts];
      if (!cohort || now - cohort.arrivedAt <= joinTimeout) break;
      givenUpCohorts += 1;
      if (givenUpCohorts > servedCohorts) schedule(now, cohort.attempt + 1, cohort.count);
    }
    storm.longestQueue = Math.max(storm.longestQueue, Math.round(waiting));
    let capacity = attemptsPerSecond * stepSeconds;
    for (;;) {
      const cohort = cohorts[servedCohorts];
      if (!cohort || capacity <= 0) break;
      const served = Math.min(capacity, cohort.count);
      capacity -= served;
      waiting -= served;
      cohort.count -= served;
      if (servedCohorts < givenUpCohorts) storm.wastedAttempts += served;
      else back += served;
      if (cohort.count > 0) break;
      servedCohorts += 1;
    }
    const end = now + stepSeconds;
    if (back >= 0.5 * clients) storm.halfBackSeconds = Math.min(storm.halfBackSeconds, end);
    if (back >= 0.95 * clients) storm.mostBackSeconds = Math.min(storm.mostBackSeconds, end);
    if (back >= clients * (1 - 1e-6)) return { ...storm, allBackSeconds: end };
  }
  return storm;
};
