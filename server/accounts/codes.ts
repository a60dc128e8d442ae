import { randomBytes, randomInt } from 'node:crypto';
import { codeAttempts, codeLength, codeLifetimeSeconds, resendCooldownSeconds } from '#contract/accounts.ts';
import { Problem, problem } from '#contract/errors.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/database.ts';
import { hashCode, sameBytes } from '#server/platform/secrets.ts';
import { consumeCode, findCode, replaceCode, takeAttempt } from './credential-repository.ts';

const daySeconds = 24 * 3600;
/** Codes and wrong tries an address may use up in a day, however many codes are asked for (rulings, "Accounts"). */
const codesADay = 20;
const attemptsADay = 20;

interface CodesDeps {
  clock: Clock;
  pepper: Buffer;
}

export interface IssuedCode {
  code: string;
  expiresAt: Date;
}

const whenAllowed = (
  now: Date,
  state: { sent_at: Date; day_started: Date; day_codes: number } | undefined,
): number => {
  const cooled = (state?.sent_at.getTime() ?? 0) + resendCooldownSeconds * 1000;
  const nextDay = state && state.day_codes >= codesADay ? state.day_started.getTime() + daySeconds * 1000 : 0;
  return Math.max(1, Math.ceil((Math.max(cooled, nextDay) - now.getTime()) / 1000));
};

/** Six-digit codes, one living one an address. An address without an account gets one too, which nobody ever learns. */
export const createCodes = ({ clock, pepper }: CodesDeps) => {
  const store = async (
    tx: Queryable,
    email: string,
    purpose: 'signup' | 'otp',
    hash: Buffer,
    replaceUnusable = false,
  ): Promise<Date> => {
    const now = clock.now();
    const expiresAt = secondsAfter(now, codeLifetimeSeconds);
    const stored = await replaceCode(tx, {
      email,
      purpose,
      hash,
      now,
      expiresAt,
      cooledAt: secondsAfter(now, -resendCooldownSeconds),
      dayAgo: secondsAfter(now, -daySeconds),
      codesADay,
      attempts: codeAttempts,
      replaceUnusable,
    });
    if (!stored) throw problem('rate_limited', { retryAfter: whenAllowed(now, await findCode(tx, email)) });
    return expiresAt;
  };

  /**
   * Makes the address's new code, killing the older one. Refused with rate_limited within 30 s of the last one, and
   * beyond the daily cap.
   */
  const issue = async (
    tx: Queryable,
    email: string,
    purpose: 'signup' | 'otp',
    replaceUnusable = false,
  ): Promise<IssuedCode> => {
    const code = String(randomInt(10 ** codeLength)).padStart(codeLength, '0');
    const expiresAt = await store(tx, email, purpose, hashCode(pepper, email, code), replaceUnusable);
    return { code, expiresAt };
  };

  /**
   * Makes a new code for a sign-up, or returns undefined while the one sent within the last 30 s still works. A code
   * that has stopped working is replaced without waiting. Refused with rate_limited beyond the daily cap.
   */
  const issueUnlessUsable = async (tx: Queryable, email: string): Promise<IssuedCode | undefined> => {
    try {
      return await issue(tx, email, 'signup', true);
    } catch (refusal) {
      if (!(refusal instanceof Problem)) throw refusal;
      const newest = await findCode(tx, email);
      const usable =
        newest?.purpose === 'signup' &&
        newest.code_hash !== null &&
        newest.attempts < codeAttempts &&
        newest.expires_at > clock.now();
      if (!usable) throw refusal;
      return undefined;
    }
  };

  /** The same for an address without an account: what is stored matches no code that can be typed. */
  const issueDecoy = async (tx: Queryable, email: string): Promise<IssuedCode> => ({
    code: '',
    expiresAt: await store(tx, email, 'otp', randomBytes(32)),
  });

  /** Uses a code up. Each try is counted before it is judged, so parallel tries cannot exceed the five. */
  const redeem = async (sql: Queryable, email: string, code: string): Promise<void> => {
    const now = clock.now();
    const dayAgo = secondsAfter(now, -daySeconds);
    const stored = await takeAttempt(sql, { email, now, dayAgo, attempts: codeAttempts, attemptsADay });
    if (stored) {
      const given = hashCode(pepper, email, code);
      if (sameBytes(stored, given) && (await consumeCode(sql, email, given))) return;
      throw problem('code_invalid');
    }
    const state = await findCode(sql, email);
    const living = state?.code_hash && state.expires_at > now;
    const used =
      state &&
      (state.attempts >= codeAttempts || (state.day_started > dayAgo && state.day_attempts >= attemptsADay));
    throw problem(living && used ? 'code_attempts_used' : 'code_invalid');
  };

  return { issue, issueUnlessUsable, issueDecoy, redeem };
};

export type Codes = ReturnType<typeof createCodes>;
