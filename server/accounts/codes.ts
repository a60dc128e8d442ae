import { randomBytes, randomInt } from 'node:crypto';
import { codeAttempts, codeLength, codeLifetimeSeconds, resendCooldownSeconds } from '#contract/accounts.ts';
import { errorCatalogue, Problem, problem } from '#contract/errors.ts';
import { accountLimitSentences } from '#contract/limit-sentences.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { hashCode, sameBytes } from '#server/platform/secrets.ts';
import { type CodeState, consumeCode, findCode, replaceCode, takeAttempt } from './credential-repository.ts';

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

/** What came of trying a code. Only `right` and `wrong` mean that it was compared with anything. */
export type CodeVerdict =
  | { outcome: 'right' | 'wrong' | 'no_code' | 'tries_used' }
  /** Only a known device may try a code of this address for the next `retryAfter` seconds. */
  | { outcome: 'day_used'; retryAfter: number };

interface IssueOptions {
  /** Skips the cooldown for a code that has stopped working. */
  replaceUnusable?: boolean;
  /** Asked for on a known device of the account, which has a daily budget of its own. */
  known?: boolean;
}

/** Seconds until the day of an address's caps is over. */
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

/** Six-digit codes, one living one an address. An address without an account gets one too, which nobody ever learns. */
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
   * Makes the address's new code, killing the older one. Refused with rate_limited within 30 s of the last one, and
   * beyond the daily cap.
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
   * Makes a new code for a sign-up, or returns undefined while the one sent within the last 30 s still works. A code
   * that has stopped working is replaced without waiting. Refused with rate_limited beyond the daily cap.
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

  /** The same for an address without an account: what is stored matches no code that can be typed. */
  const issueDecoy = async (tx: Queryable, email: string): Promise<IssuedCode> => ({
    code: '',
    expiresAt: await store(tx, email, 'otp', randomBytes(32), {}),
  });

  /**
   * Tries a code and uses it up. Each try is counted before it is judged, so parallel tries cannot exceed the five of a
   * code, nor those that an address has in a day. A known device does not count for the latter: it has its own budget.
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
    const stored = await takeAttempt(sql, { email, now, dayAgo, ...tries });
    if (stored) {
      const hash = hashCode(pepper, email, code);
      const right = sameBytes(stored, hash) && (await consumeCode(sql, { email, hash, counted }));
      return { outcome: right ? 'right' : 'wrong' };
    }
    const state = await findCode(sql, email);
    if (!state?.code_hash || state.expires_at <= now) return { outcome: 'no_code' };
    // Where a new code would be refused as well, asking for one helps nobody.
    const dayUsed = state.day_attempts >= attemptsADay || state.day_codes >= codesADay;
    return counted && dayUsed && state.day_started > dayAgo
      ? { outcome: 'day_used', retryAfter: untilNextDay(now, state) }
      : { outcome: 'tries_used' };
  };

  return { issue, issueUnlessUsable, issueDecoy, redeem };
};

export type Codes = ReturnType<typeof createCodes>;
