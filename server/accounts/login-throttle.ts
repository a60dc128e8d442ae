import type { LimitName } from '#contract/limits.ts';
import type { RequestDevice } from '#server/platform/process/request-context.ts';
import type { Caller, RateLimits } from '#server/platform/rate-limits.ts';
import type { Devices } from './devices.ts';

/** A log-in attempt: the email address of the account, the client address and the device. */
export interface Attempt {
  email: string;
  address: string;
  device: RequestDevice;
}

/** A log-in attempt that is counted as a failure until it succeeds. */
export interface CountedAttempt {
  /**
   * Whether the attempt came from a known device of the account; it then counts only toward that device's own budget.
   */
  known: boolean;
  /** Takes the counted failure back because the log-in succeeded. */
  succeed(userId: string): Promise<void>;
  /** Takes the counted failure back because the code was not compared, so the attempt revealed nothing. */
  notJudged(): Promise<void>;
}

/**
 * Limits for unknown devices, ordered from narrow to wide: an attempt that a narrow limit refuses does not count toward
 * a wide one that many people share.
 */
const limitsForUnknownDevices = {
  password: ['guess', 'wrong_password', 'sign_in'],
  code: ['guess', 'wrong_code', 'sign_in'],
} as const satisfies Record<string, readonly LimitName[]>;

/**
 * Creates the service that limits guesses at passwords and codes without locking out anybody on a known device. A known
 * device has its own daily budget; all other attempts are counted by client address and account. Attempts are counted
 * before they are evaluated, so that parallel attempts cannot exceed a limit; a success takes its count back.
 */
export const createLoginThrottle = ({
  rateLimits,
  devices,
}: {
  rateLimits: RateLimits;
  devices: Devices;
}) => {
  const toCaller = ({ email, address }: Omit<Attempt, 'device'>): Caller => ({ about: email, address });

  const refund = async (names: readonly LimitName[], caller: Caller): Promise<void> => {
    for (const name of names) await rateLimits.refund(name, caller);
  };

  /** Counts the request toward all of these limits, or toward none of them when one refuses it. */
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
    begin: async (attempt: Attempt, kind: keyof typeof limitsForUnknownDevices): Promise<CountedAttempt> => {
      const caller = toCaller(attempt);
      const known = await devices.take(attempt.device, attempt.email, 'failures');
      const counted: readonly LimitName[] = known ? [] : limitsForUnknownDevices[kind];
      await consumeAll(counted, caller);
      return {
        known,
        succeed: async (userId) => {
          // This limit comes first: when it refuses a log-in, the failure stays counted, so that endless log-ins also
          // use up the other limits.
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

    /** Counts a request for a code or a link. Returns whether the request came from a known device of the account. */
    beginRequest: async (attempt: Attempt): Promise<boolean> => {
      const known = await devices.take(attempt.device, attempt.email, 'requests');
      if (!known) await consumeAll(['codes_to', 'codes'], toCaller(attempt));
      return known;
    },

    /** Counts a sign-up. */
    beginSignUp: (attempt: Omit<Attempt, 'device'>): Promise<void> =>
      consumeAll(['codes_to', 'sign_up'], toCaller(attempt)),

    /** Counts an invalid reset link. A valid link needs no limit, because nobody can guess it. */
    countWrongLink: (address: string): Promise<void> => consumeAll(['sign_in'], { address }),

    /** Counts an attempt of a signed-in person to enter the current password. */
    beginWithin: (userId: string): Promise<void> =>
      rateLimits.consume('guess', { about: userId, address: '' }),

    /** Clears the wrong passwords counted for an account, after its owner reset the password by email. */
    startOver: (email: string): Promise<void> =>
      rateLimits.forgive('wrong_password', { about: email, address: '' }),
  };
};

export type LoginThrottle = ReturnType<typeof createLoginThrottle>;
