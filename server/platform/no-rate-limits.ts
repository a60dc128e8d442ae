import type { RateLimits } from './rate-limits.ts';

/** Rate limits that are never exceeded, for tests and development. */
export const noRateLimits: RateLimits = {
  consume: async () => {},
  forgive: async () => {},
  refund: async () => {},
};
