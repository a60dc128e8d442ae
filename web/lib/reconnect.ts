import { reconnectSeconds } from '#contract/realtime.ts';

/** The wait before try number `tries` (from 1), up to a fifth longer: a crowd must not return in step. */
export const reconnectDelay = (tries: number, random: () => number = Math.random): number => {
  const seconds = reconnectSeconds[Math.min(tries, reconnectSeconds.length) - 1] ?? reconnectSeconds[0];
  return Math.round(seconds * 1000 * (1 + random() * 0.2));
};
