import { toCanonicalEmail } from '#contract/campus.ts';
import type { RateLimitName } from '#contract/limits.ts';
import type { App } from '#server/app.ts';
import type { RequestDevice } from '#server/platform/process/request-context.ts';
import type { RateLimitSubject } from '#server/platform/rate-limits.ts';
import { rememberDevice, returnToDeviceBudget, takeFromDeviceBudget } from './devices.ts';

// These functions limit how often passwords and codes can be guessed, without locking out people on known devices. A
// known device has its own daily budget; all other attempts are counted by client address and account. Attempts are
// counted before they are evaluated, so that parallel attempts cannot exceed a limit; a successful attempt is refunded.

/** A log-in attempt: the email address of the account, the client address and the device. */
export interface LoginAttempt {
  email: string;
  address: string;
  device: RequestDevice;
}

/** A log-in attempt that is counted as a failure until it succeeds. */
export interface CountedLoginAttempt {
  /**
   * Whether the attempt came from a known device of the account; it then counts only toward that device's own budget.
   */
  known: boolean;
  /** Refunds the failure that was counted in advance, because the log-in succeeded. */
  succeed(userId: string): Promise<void>;
  /**
   * Refunds the attempt, which was counted in advance as a wrong code. Call this when the entered
   * code was not compared with the stored one, so that the attempt revealed nothing about it.
   */
  notJudged(): Promise<void>;
}

/**
 * Rate limits for unknown devices, ordered from narrow to wide. Narrow limits are checked first,
 * because an attempt that they refuse must not count toward a wide limit that many people share.
 */
const limitsForUnknownDevices = {
  password: ['guess', 'wrong_password', 'sign_in'],
  code: ['guess', 'wrong_code', 'sign_in'],
} as const satisfies Record<string, readonly RateLimitName[]>;

const toCaller = ({ config }: App, { email, address }: Omit<LoginAttempt, 'device'>): RateLimitSubject => ({
  about: toCanonicalEmail(config.campus, email),
  address,
});

const refund = async (
  { limits }: App,
  names: readonly RateLimitName[],
  caller: RateLimitSubject,
): Promise<void> => {
  for (const name of names) await limits.refund(name, caller);
};

/**
 * Counts the request toward all the given limits. If one of them is used up, counts it toward none of them and throws
 * rate_limited.
 */
const consumeAll = async (
  app: App,
  names: readonly RateLimitName[],
  caller: RateLimitSubject,
): Promise<void> => {
  for (const [index, name] of names.entries()) {
    try {
      await app.limits.consume(name, caller);
    } catch (refusal) {
      await refund(app, names.slice(0, index + 1), caller);
      throw refusal;
    }
  }
};

/** Counts a log-in attempt. Throws rate_limited after too many failures. */
export const beginLoginAttempt = async (
  app: App,
  attempt: LoginAttempt,
  kind: keyof typeof limitsForUnknownDevices,
): Promise<CountedLoginAttempt> => {
  const { limits } = app;
  const caller = toCaller(app, attempt);
  const known = await takeFromDeviceBudget(app, attempt.device, attempt.email, 'failures');
  const counted: readonly RateLimitName[] = known ? [] : limitsForUnknownDevices[kind];
  await consumeAll(app, counted, caller);
  return {
    known,
    succeed: async (userId) => {
      // Count the log-in toward the `log_in` limit before the refunds. If that limit refuses
      // the log-in, the attempt stays counted as a failure, so that repeated log-ins also use
      // up the other limits.
      await limits.consume('log_in', caller);
      await refund(app, counted, caller);
      await limits.forgive('wrong_password', caller);
      await rememberDevice(app, attempt.device, userId);
    },
    notJudged: async () => {
      if (known) await returnToDeviceBudget(app, attempt.device, attempt.email, 'failures');
      else await refund(app, ['wrong_code'], caller);
    },
  };
};

/**
 * Counts a request for a code or a link, and returns whether it came from a known device of the account. Throws
 * rate_limited when a limit is used up.
 */
export const countCodeRequest = async (app: App, attempt: LoginAttempt): Promise<boolean> => {
  const known = await takeFromDeviceBudget(app, attempt.device, attempt.email, 'requests');
  if (!known) await consumeAll(app, ['codes_to', 'codes'], toCaller(app, attempt));
  return known;
};

/**
 * Counts a sign-up. Throws rate_limited when a limit is used up. If no code was sent, the caller must call the returned
 * `notSent`, which refunds the count of codes for this address; the sign-up itself stays counted.
 */
export const countSignUp = async (
  app: App,
  attempt: Omit<LoginAttempt, 'device'>,
): Promise<{ notSent(): Promise<void> }> => {
  const caller = toCaller(app, attempt);
  await consumeAll(app, ['codes_to', 'sign_up'], caller);
  return { notSent: () => refund(app, ['codes_to'], caller) };
};

/**
 * Counts a signed-in person's request for a code that verifies a campus address. Throws rate_limited when a limit is used
 * up. If no email was sent, the caller must call the returned `notSent`, which refunds the counts of emails to this
 * address. These counts are also refunded when a limit refuses the request. The request itself stays counted in both
 * cases.
 */
export const countCampusCodeRequest = async (
  app: App,
  { userId, address, email }: { userId: string; address: string; email: string },
): Promise<{ notSent(): Promise<void> }> => {
  const mailbox = toCanonicalEmail(app.config.campus, email);
  const named = { userId, address, about: mailbox };
  const byAccount = { address, about: `${userId} ${mailbox}` };
  const counted: [RateLimitName, RateLimitSubject][] = [
    ['codes_to', named],
    ['own_campus_codes', byAccount],
    ['campus_codes', named],
  ];
  await consumeAll(app, ['codes'], named);
  for (const [index, [name, caller]] of counted.entries())
    await consumeAll(app, [name], caller).catch(async (refusal) => {
      for (const [earlier, by] of counted.slice(0, index)) await refund(app, [earlier], by);
      throw refusal;
    });
  return {
    notSent: async () => {
      for (const [name, caller] of counted) await refund(app, [name], caller);
    },
  };
};

/** Counts an invalid reset link. A valid link needs no limit, because nobody can guess it. */
export const countWrongResetLink = (app: App, address: string): Promise<void> =>
  consumeAll(app, ['sign_in'], { address });

/** Counts an attempt of a signed-in person to enter the current password. */
export const countPasswordEntry = ({ limits }: App, userId: string): Promise<void> =>
  limits.consume('guess', { about: userId, address: '' });

/** Resets the count of wrong passwords of an account after its owner has reset the password by email. */
export const forgiveWrongPasswords = (app: App, email: string): Promise<void> =>
  app.limits.forgive('wrong_password', toCaller(app, { email, address: '' }));
