import type { LimitName } from '#contract/limits.ts';
import type { RequestDevice } from '#server/http/device-cookie.ts';
import type { Caller, RateLimits } from '#server/http/rate-limits.ts';
import type { Devices } from './devices.ts';

/** An account that is tried, by its email address, and the client address and device it is tried from. */
export interface Attempt {
  email: string;
  address: string;
  device: RequestDevice;
}

/** A log-in attempt that has been counted as a failure, until it turns out to be none. */
export interface CountedAttempt {
  /** Whether it came from a known device of the account, and so counts for that device only. */
  known: boolean;
  /** The account was entered. */
  succeed(userId: string): Promise<void>;
  /** The code was not compared with anything, so nothing was learned from it. */
  notJudged(): Promise<void>;
}

/** From narrow to wide: what a narrow limit refuses does not count for those who share the wide one. */
const limitsOfStrangers = {
  password: ['guess', 'wrong_password', 'sign_in'],
  code: ['guess', 'wrong_code', 'sign_in'],
} as const satisfies Record<string, readonly LimitName[]>;

/**
 * Bounds the guessing of passwords and codes without locking anybody out on a known device: what such a device does
 * counts in its own daily budget, and everything else by client address and account. Attempts are counted before they
 * are judged, so that parallel ones cannot exceed a limit; a success takes its count back.
 */
export const createLoginThrottle = ({
  rateLimits,
  devices,
}: {
  rateLimits: RateLimits;
  devices: Devices;
}) => {
  const callerOf = ({ email, address }: Omit<Attempt, 'device'>): Caller => ({ about: email, address });

  const giveBack = async (names: readonly LimitName[], caller: Caller): Promise<void> => {
    for (const name of names) await rateLimits.giveBack(name, caller);
  };

  /** Counts for all of the limits, or for none where one refuses. */
  const consumeAll = async (names: readonly LimitName[], caller: Caller): Promise<void> => {
    for (const [index, name] of names.entries()) {
      try {
        await rateLimits.consume(name, caller);
      } catch (refusal) {
        await giveBack(names.slice(0, index + 1), caller);
        throw refusal;
      }
    }
  };

  return {
    /** Counts a log-in attempt; refuses with rate_limited when there were too many that failed. */
    begin: async (attempt: Attempt, kind: keyof typeof limitsOfStrangers): Promise<CountedAttempt> => {
      const caller = callerOf(attempt);
      const known = await devices.take(attempt.device, attempt.email, 'failures');
      const counted: readonly LimitName[] = known ? [] : limitsOfStrangers[kind];
      await consumeAll(counted, caller);
      return {
        known,
        succeed: async (userId) => {
          // Refused before anything is given back: whoever logs in without end runs into the other limits.
          await rateLimits.consume('log_in', caller);
          await giveBack(counted, caller);
          await rateLimits.forgive('wrong_password', caller);
          await devices.remember(attempt.device, userId);
        },
        notJudged: async () => {
          if (known) await devices.giveBack(attempt.device, attempt.email, 'failures');
          else await giveBack(['wrong_code'], caller);
        },
      };
    },

    /** Counts a request for a code or a link. Returns whether it came from a known device of the account. */
    beginRequest: async (attempt: Attempt): Promise<boolean> => {
      const known = await devices.take(attempt.device, attempt.email, 'requests');
      if (!known) await consumeAll(['codes_to', 'codes'], callerOf(attempt));
      return known;
    },

    /** Counts a sign-up. */
    beginSignUp: (attempt: Omit<Attempt, 'device'>): Promise<void> =>
      consumeAll(['codes_to', 'sign_up'], callerOf(attempt)),

    /** Counts a reset link that is none. A right one needs no limit, because nobody can guess it. */
    countWrongLink: (address: string): Promise<void> => consumeAll(['sign_in'], { address }),

    /** Counts an attempt by somebody who is signed in and enters the password again. */
    beginWithin: (userId: string): Promise<void> =>
      rateLimits.consume('guess', { about: userId, address: '' }),

    /** The account has a new password, set from its mailbox: wrong ones tried before no longer count. */
    startOver: (email: string): Promise<void> =>
      rateLimits.forgive('wrong_password', { about: email, address: '' }),
  };
};

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;
