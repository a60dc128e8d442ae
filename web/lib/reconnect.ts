import { reconnectDelaysSeconds } from '#contract/realtime.ts';

/**
 * Returns the delay in ms before a reconnection attempt (numbered from 1), with up to 20 % jitter, so
 * that clients do not all reconnect at the same time.
 */
export const getReconnectDelayMs = (attempt: number, random: () => number = Math.random): number => {
  const seconds =
    reconnectDelaysSeconds[Math.min(attempt, reconnectDelaysSeconds.length) - 1] ?? reconnectDelaysSeconds[0];
  return Math.round(seconds * 1000 * (1 + random() * 0.2));
};
