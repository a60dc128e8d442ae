import { randomBytes, randomInt } from 'node:crypto';
import {
  maxCodeAttempts,
  oneTimeCodeLength,
  oneTimeCodeLifetimeSeconds,
  resendCooldownSeconds,
} from '#contract/accounts.ts';
import { toCanonicalEmail } from '#contract/campus.ts';
import { createProblem, errorCatalog, Problem } from '#contract/errors.ts';
import { loginLimitMessages } from '#contract/limit-messages.ts';
import type { App } from '#server/app.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { areBytesEqual, hashEmailCode } from '#server/platform/secrets.ts';
import {
  type CodeState,
  consumeCode,
  consumeCodeAttempt,
  findCode,
  replaceCode,
} from './credential-repository.ts';

const maxCodesPerDay = 20;
/** Maximum number of wrong attempts per email address and day, however many codes are requested. */
const maxAttemptsPerDay = 20;

export interface IssuedCode {
  code: string;
  expiresAt: Date;
}

/**
 * The result of an attempt to use a code. The code was compared with the stored one only if the
 * outcome is `right` or `wrong`.
 */
export type CodeAttemptResult =
  | { outcome: 'right' | 'wrong' | 'no_code' | 'tries_used' }
  /**
   * The email address has reached its daily limit; for the next `retryAfter` seconds, codes are
   * accepted only from known devices.
   */
  | { outcome: 'day_used'; retryAfter: number };

/** Returns the error to throw for a code that was not accepted. */
export const toVerificationCodeProblem = (verdict: CodeAttemptResult): Problem => {
  if (verdict.outcome === 'tries_used') return createProblem('code_attempts_used');
  if (verdict.outcome !== 'day_used') return createProblem('code_invalid');
  const { retryAfter } = verdict;
  return createProblem('rate_limited', {
    retryAfter,
    sentence: loginLimitMessages.wrongCodesToday(retryAfter),
  });
};

/**
 * Returns the key under which the code for adding a campus address is stored, in place of an email
 * address. The key names the account, so the cooldown and the daily limits belong to the account:
 * other accounts that enter the same campus address cannot use them up.
 */
export const toCampusCodeKey = (userId: string): string => `campus ${userId}`;

interface IssueOptions {
  /** Whether to skip the cooldown if the previous code can no longer be used. */
  replaceUnusable?: boolean;
  /** Whether the request came from a known device of the account, which has its own daily budget. */
  known?: boolean;
  /**
   * What the code confirms in addition to the email address or key, such as a campus address; the
   * caller must pass the same value again to redeem the code.
   */
  boundTo?: string;
}

/** Returns the seconds until the daily limits of an email address are reset. */
const secondsUntilDailyReset = (now: Date, { day_started: started }: { day_started: Date }): number =>
  Math.max(1, Math.ceil((started.getTime() + dayInSeconds * 1000 - now.getTime()) / 1000));

const toRateLimitProblem = (now: Date, state: CodeState | undefined): Problem => {
  const sentAt = state?.sent_at.getTime() ?? 0;
  const cooldown = Math.max(1, Math.ceil((sentAt - now.getTime()) / 1000) + resendCooldownSeconds);
  const day = state && state.day_codes >= maxCodesPerDay ? secondsUntilDailyReset(now, state) : 0;
  const retryAfter = Math.max(cooldown, day);
  return day > cooldown
    ? createProblem('rate_limited', { retryAfter, sentence: loginLimitMessages.codesToday(retryAfter) })
    : createProblem('rate_limited', {
        retryAfter,
        resendAfter: cooldown,
        sentence: errorCatalog.rate_limited.sentence,
      });
};

// People receive six-digit codes by email. Each mailbox, or key from `toCampusCodeKey`, has at most one valid code,
// whichever of its addresses the code is mailed to.

const toMailbox = ({ config }: App, email: string): string => toCanonicalEmail(config.campus, email);

const hashBound = (app: App, email: string, code: string, boundTo: string | undefined): Buffer =>
  hashEmailCode(
    app.secrets.pepper,
    boundTo === undefined ? toMailbox(app, email) : `${email} ${boundTo}`,
    code,
  );

const store = async (
  app: App,
  tx: Queryable,
  email: string,
  purpose: 'signup' | 'otp',
  hash: Buffer,
  { replaceUnusable = false, known = false }: IssueOptions,
): Promise<Date> => {
  const now = app.clock.now();
  const expiresAt = addSeconds(now, oneTimeCodeLifetimeSeconds);
  const mailbox = toMailbox(app, email);
  const stored = await replaceCode(tx, {
    email: mailbox,
    purpose,
    hash,
    now,
    expiresAt,
    cooledAt: addSeconds(now, -resendCooldownSeconds),
    dayAgo: addSeconds(now, -dayInSeconds),
    maxCodesPerDay,
    attempts: maxCodeAttempts,
    replaceUnusable,
    counted: !known,
  });
  if (!stored) throw toRateLimitProblem(now, await findCode(tx, mailbox));
  return expiresAt;
};

/**
 * Creates a new code for the email address and invalidates the previous one. Throws rate_limited within 30 s of the
 * previous code and beyond the daily limit.
 */
export const issueCode = async (
  app: App,
  tx: Queryable,
  email: string,
  purpose: 'signup' | 'otp',
  options: IssueOptions = {},
): Promise<IssuedCode> => {
  const code = String(randomInt(10 ** oneTimeCodeLength)).padStart(oneTimeCodeLength, '0');
  const hash = hashBound(app, email, code, options.boundTo);
  return { code, expiresAt: await store(app, tx, email, purpose, hash, options) };
};

/**
 * Creates a new code for a sign-up. Returns undefined while a code that was sent within the last 30 s is still valid; a
 * code that can no longer be used is replaced at once. Throws rate_limited beyond the daily limit.
 */
export const issueCodeUnlessUsable = async (
  app: App,
  tx: Queryable,
  email: string,
): Promise<IssuedCode | undefined> => {
  try {
    return await issueCode(app, tx, email, 'signup', { replaceUnusable: true });
  } catch (refusal) {
    if (!(refusal instanceof Problem)) throw refusal;
    const newest = await findCode(tx, toMailbox(app, email));
    const usable =
      newest?.purpose === 'signup' &&
      newest.code_hash !== null &&
      newest.attempts < maxCodeAttempts &&
      newest.expires_at > app.clock.now();
    if (!usable) throw refusal;
    return undefined;
  }
};

/**
 * Does the same work as `issueCode` for an email address without an account, and stores a hash that no code matches.
 */
export const issueDecoyCode = async (app: App, tx: Queryable, email: string): Promise<IssuedCode> => ({
  code: '',
  expiresAt: await store(app, tx, email, 'otp', randomBytes(32), {}),
});

/**
 * Compares a code with the valid one and consumes it if they are equal. Every attempt is counted before the comparison,
 * so that parallel attempts cannot exceed the limit of a code (5) or the daily limit of an address. A known device has
 * its own budget instead of the daily limit.
 */
export const redeemCode = async (
  app: App,
  email: string,
  code: string,
  { known, boundTo }: { known: boolean; boundTo?: string },
): Promise<CodeAttemptResult> => {
  const { sql, clock } = app;
  const now = clock.now();
  const dayAgo = addSeconds(now, -dayInSeconds);
  const counted = !known;
  const tries = { attempts: maxCodeAttempts, maxAttemptsPerDay, counted };
  const mailbox = toMailbox(app, email);
  const stored = await consumeCodeAttempt(sql, { email: mailbox, now, dayAgo, ...tries });
  if (stored) {
    const hash = hashBound(app, email, code, boundTo);
    const right = areBytesEqual(stored, hash) && (await consumeCode(sql, { email: mailbox, hash, counted }));
    return { outcome: right ? 'right' : 'wrong' };
  }
  const state = await findCode(sql, mailbox);
  if (!state?.code_hash || state.expires_at <= now) return { outcome: 'no_code' };
  // If the daily limit would also block a new code, the error must not suggest requesting one.
  const dayUsed = state.day_attempts >= maxAttemptsPerDay || state.day_codes >= maxCodesPerDay;
  return counted && dayUsed && state.day_started > dayAgo
    ? { outcome: 'day_used', retryAfter: secondsUntilDailyReset(now, state) }
    : { outcome: 'tries_used' };
};
