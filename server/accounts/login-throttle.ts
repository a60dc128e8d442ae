import type { LimitName } from '#contract/limits.ts';
import type { RequestDevice } from '#server/platform/process/request-context.ts';
import type { Caller, RateLimits } from '#server/platform/rate-limits.ts';
import type { Devices } from './devices.ts';

/** A log-in attempt: the account's email address, the client address and the device. */
export interface Attempt {
  email: string;
  address: string;
  device: RequestDevice;
}

/** A log-in attempt that is counted as a failure until it succeeds. */
export interface CountedAttempt {
  /** Whether it came from a known device of the account and therefore counts only for that device. */
  known: boolean;
  /** Takes the count back, because the log-in succeeded. */
  succeed(userId: string): Promise<void>;
  /** Takes the count back, because the code was not compared and revealed nothing. */
  notJudged(): Promise<void>;
}

/** From narrow to wide: an attempt that a narrow limit refuses does not count toward a shared wide one. */
const limitsOfStrangers = {
  password: ['guess', 'wrong_password', 'sign_in'],
  code: ['guess', 'wrong_code', 'sign_in'],
} as const satisfies Record<string, readonly LimitName[]>;

/**
 * Limits guesses at passwords and codes without locking anybody out on a known device: such a device has its own daily
 * budget, and all other attempts count by client address and account. Attempts are counted before they are evaluated,
 * so that parallel ones cannot exceed a limit; a success takes its count back.
 */
export const createLoginThrottle = ({
  rateLimits,
  devices,
}: {
  rateLimits: RateLimits;
  devices: Devices;
}) => {
  const callerOf = ({ email, address }: Omit<Attempt, 'device'>): Caller => ({ about: email, address });

  const refund = async (names: readonly LimitName[], caller: Caller): Promise<void> => {
    for (const name of names) await rateLimits.refund(name, caller);
  };

  /** Counts toward all of the limits, or toward none when one refuses. */
  const consumeAll = async (names: readonly LimitName[], caller: Caller): Promise<void> => {
    for (const [index, name] of names.entries()) {
      try {
        await rateLimits.consume(name, caller);
      } catch (refusal) {
        await refund(names.slice(0, index + 1), caller);
        throw refusal;
      }
    }
  };

  return {
    /** Counts a log-in attempt; throws rate_limited after too many failures. */
    begin: async (attempt: Attempt, kind: keyof typeof limitsOfStrangers): Promise<CountedAttempt> => {
      const caller = callerOf(attempt);
      const known = await devices.take(attempt.device, attempt.email, 'failures');
      const counted: readonly LimitName[] = known ? [] : limitsOfStrangers[kind];
      await consumeAll(counted, caller);
      return {
        known,
        succeed: async (userId) => {
          // Check this limit first: endless log-ins then use up the other limits too.
          await rateLimits.consume('log_in', caller);
          await refund(counted, caller);
          await rateLimits.forgive('wrong_password', caller);
          await devices.remember(attempt.device, userId);
        },
        notJudged: async () => {
          if (known) await devices.refund(attempt.device, attempt.email, 'failures');
          else await refund(['wrong_code'], caller);
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

    /** Counts an invalid reset link. A valid one needs no limit, because nobody can guess it. */
    countWrongLink: (address: string): Promise<void> => consumeAll(['sign_in'], { address }),

    /** Counts an attempt by a signed-in person who enters the password again. */
    beginWithin: (userId: string): Promise<void> =>
      rateLimits.consume('guess', { about: userId, address: '' }),

    /** Clears the failures of an account after a reset from its mailbox. */
    startOver: (email: string): Promise<void> =>
      rateLimits.forgive('wrong_password', { about: email, address: '' }),
  };
};

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;
