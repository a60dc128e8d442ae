import type { CapacityAssumptions } from './assumptions.ts';

/** What happens when many sockets are lost at once and their clients reconnect. */
export interface ReconnectStorm {
  /** Seconds until half, 95 % and all of the clients have their sockets and topics back. */
  halfBackSeconds: number;
  mostBackSeconds: number;
  allBackSeconds: number;
  /** Attempts that were served although their client had given up. */
  wastedAttempts: number;
  /** Greatest number of attempts that waited at the same time. */
  longestQueue: number;
}

interface StormInput {
  /** Number of clients that lost their socket. */
  clients: number;
  /** Attempts per second that all remaining processes together can serve beside their other work. */
  attemptsPerSecond: number;
}

/** Attempts that arrive in the same step. */
interface Cohort {
  count: number;
  /** Number of the attempt of each of its clients, from 1. */
  attempt: number;
  arrivedAt: number;
}

const stepSeconds = 0.05;
/** A storm that lasts longer than this is taken for one that does not end by itself. */
const limitSeconds = 600;

/**
 * Simulates clients that reconnect after the configured delays, in steps of 50 ms. Attempts wait in one queue. An attempt
 * whose client has given up is served all the same, because the server does not know; such attempts can keep a server
 * busy that has too little capacity, without anybody getting through. Then the times are Infinity.
 */
export const simulateReconnectStorm = (
  { clients, attemptsPerSecond }: StormInput,
  { reconnectDelays, reconnectJitter, joinTimeout }: CapacityAssumptions,
): ReconnectStorm => {
  /** Numbers of clients by the step of their next attempt, and by its number. */
  const arrivals = new Map<number, Map<number, number>>();
  /** Spreads clients evenly over the time in which the jitter lets them try again. */
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

  /** All cohorts in the order of arrival: the first `servedCohorts` are served, the first `givenUpCohorts` have given up. */
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
