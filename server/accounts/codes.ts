import { randomBytes, randomInt } from 'node:crypto';
import { codeAttempts, codeLength, codeLifetimeSeconds, resendCooldownSeconds } from '#contract/accounts.ts';
import { errorCatalogue, Problem, problem } from '#contract/errors.ts';
import { accountLimitSentences } from '#contract/limit-sentences.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { hashCode, sameBytes } from '#server/platform/secrets.ts';
import {
  type CodeState,
  consumeAttempt,
  consumeCode,
  findCode,
  replaceCode,
} from './credential-repository.ts';

const daySeconds = 24 * 3600;
/** Codes and wrong attempts per address and day, however many codes are requested (rulings, "Accounts"). */
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

/** The result of trying a code; only `right` and `wrong` mean that the code was compared. */
export type CodeVerdict =
  | { outcome: 'right' | 'wrong' | 'no_code' | 'tries_used' }
  /** For the next `retryAfter` seconds only a known device may try a code for this address. */
  | { outcome: 'day_used'; retryAfter: number };

interface IssueOptions {
  /** Skips the cooldown for a code that has stopped working. */
  replaceUnusable?: boolean;
  /** Requested on a known device of the account, which has its own daily budget. */
  known?: boolean;
}

/** Seconds until the daily limits of an address reset. */
const untilNextDay = (now: Date, { day_started: started }: { day_started: Date }): number =>
  Math.max(1, Math.ceil((started.getTime() + daySeconds * 1000 - now.getTime()) / 1000));

const refusalOf = (now: Date, state: CodeState | undefined): Problem => {
  const sentAt = state?.sent_at.getTime() ?? 0;
  const cooldown = Math.max(1, Math.ceil((sentAt - now.getTime()) / 1000) + resendCooldownSeconds);
  const day = state && state.day_codes >= codesADay ? untilNextDay(now, state) : 0;
  const retryAfter = Math.max(cooldown, day);
  const sentence =
    day > cooldown ? accountLimitSentences.codesToday(retryAfter) : errorCatalogue.rate_limited.sentence;
  return problem('rate_limited', { retryAfter, sentence });
};

/** Creates the six-digit codes, one valid per address. An address without an account gets a code that is never sent. */
export const createCodes = ({ clock, pepper }: CodesDeps) => {
  const store = async (
    tx: Queryable,
    email: string,
    purpose: 'signup' | 'otp',
    hash: Buffer,
    { replaceUnusable = false, known = false }: IssueOptions,
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
      counted: !known,
    });
    if (!stored) throw refusalOf(now, await findCode(tx, email));
    return expiresAt;
  };

  /**
   * Creates a new code for the address and invalidates the previous one. Throws rate_limited within 30 s of the previous
   * one and beyond the daily limit.
   */
  const issue = async (
    tx: Queryable,
    email: string,
    purpose: 'signup' | 'otp',
    options: IssueOptions = {},
  ): Promise<IssuedCode> => {
    const code = String(randomInt(10 ** codeLength)).padStart(codeLength, '0');
    const expiresAt = await store(tx, email, purpose, hashCode(pepper, email, code), options);
    return { code, expiresAt };
  };

  /**
   * Creates a new code for a sign-up, or returns undefined while one sent within the last 30 s is still valid. An invalid
   * code is replaced without waiting. Throws rate_limited beyond the daily limit.
   */
  const issueUnlessUsable = async (tx: Queryable, email: string): Promise<IssuedCode | undefined> => {
    try {
      return await issue(tx, email, 'signup', { replaceUnusable: true });
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

  /** Does the same for an address without an account; the stored hash matches no possible code. */
  const issueDecoy = async (tx: Queryable, email: string): Promise<IssuedCode> => ({
    code: '',
    expiresAt: await store(tx, email, 'otp', randomBytes(32), {}),
  });

  /**
   * Tries a code and consumes it. Each attempt is counted before the comparison, so parallel attempts cannot exceed the
   * five of a code or the daily limit of an address. A known device has its own budget instead of the latter.
   */
  const redeem = async (
    sql: Queryable,
    email: string,
    code: string,
    { known }: { known: boolean },
  ): Promise<CodeVerdict> => {
    const now = clock.now();
    const dayAgo = secondsAfter(now, -daySeconds);
    const counted = !known;
    const tries = { attempts: codeAttempts, attemptsADay, counted };
    const stored = await consumeAttempt(sql, { email, now, dayAgo, ...tries });
    if (stored) {
      const hash = hashCode(pepper, email, code);
      const right = sameBytes(stored, hash) && (await consumeCode(sql, { email, hash, counted }));
      return { outcome: right ? 'right' : 'wrong' };
    }
    const state = await findCode(sql, email);
    if (!state?.code_hash || state.expires_at <= now) return { outcome: 'no_code' };
    // Do not advise requesting a new code when that would be refused as well.
    const dayUsed = state.day_attempts >= attemptsADay || state.day_codes >= codesADay;
    return counted && dayUsed && state.day_started > dayAgo
      ? { outcome: 'day_used', retryAfter: untilNextDay(now, state) }
      : { outcome: 'tries_used' };
  };

  return { issue, issueUnlessUsable, issueDecoy, redeem };
};

export type Codes = ReturnType<typeof createCodes>;
