import { Problem } from '#contract/errors.ts';
import type { RequestDevice } from '#server/http/device-cookie.ts';
import type { RateLimits } from '#server/http/rate-limits.ts';

/** An account that is tried, by its address, and the client address and device it is tried from. */
export interface Attempt {
  email: string;
  address: string;
  device: RequestDevice;
}

/**
 * Bounds the guessing of passwords without locking their owners out. Each try counts against the account until one
 * succeeds; once they are used up only clients that the account signed in from before are heard. A code or a reset
 * link, which prove the mailbox, open the account again.
 */
export const createGuesses = (rateLimits: RateLimits) => ({
  /** Counts a try; refuses with rate_limited when strangers have used them up. */
  begin: async ({ email, address }: Omit<Attempt, 'device'>): Promise<void> => {
    const who = { about: email, address };
    try {
      await rateLimits.consume('wrong_password', who);
    } catch (refusal) {
      const usedUp = refusal instanceof Problem && refusal.code === 'rate_limited';
      if (!usedUp || !(await rateLimits.isFamiliar(who))) throw refusal;
    }
  },

  /** The same for somebody who is signed in and shows the password again. */
  beginWithin: (userId: string): Promise<void> => rateLimits.consume('guess', { about: userId, address: '' }),

  /** The account was entered from this client. */
  succeed: async ({ email, address }: Omit<Attempt, 'device'>): Promise<void> => {
    const who = { about: email, address };
    await rateLimits.noteFamiliar(who);
    await rateLimits.forgive('wrong_password', who);
  },

  /** The account has a new password, set from its mailbox: what was tried on the old one counts no more. */
  startOver: (email: string): Promise<void> =>
    rateLimits.forgive('wrong_password', { about: email, address: '' }),
});

export type Guesses = ReturnType<typeof createGuesses>;
