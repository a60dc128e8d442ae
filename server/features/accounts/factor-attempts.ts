import { createProblem } from '#contract/errors.ts';
import { loginLimitMessages } from '#contract/limit-messages.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { beginFactorAttempt, findNextAttemptTime, type WrongCodeRule } from './second-factor-repository.ts';

/**
 * After five or more wrong codes in a row, the next attempt must wait: one minute at first, then twice as long after
 * each further wrong code, up to 64 minutes.
 */
const wrongCodeRule: WrongCodeRule = {
  freeWrongCodes: 5,
  firstDelaySeconds: 60,
  maxDoublings: 6,
  forgottenAfterSeconds: dayInSeconds,
};

/**
 * Counts a second-factor attempt before its code is compared. Throws rate_limited after too many wrong codes in a row,
 * and second_factor_not_found when the factor does not exist.
 */
export const countSecondFactorAttempt = async ({ sql, clock }: App, id: string): Promise<void> => {
  const now = clock.now();
  const forgottenBefore = addSeconds(now, -wrongCodeRule.forgottenAfterSeconds);
  if (await beginFactorAttempt(sql, { id, now, forgottenBefore, rule: wrongCodeRule })) return;
  const next = await findNextAttemptTime(sql, id, wrongCodeRule);
  if (!next) throw createProblem('second_factor_not_found');
  const retryAfter = Math.max(1, Math.ceil((next.getTime() - now.getTime()) / 1000));
  const sentence = loginLimitMessages.wrongSecondFactors(retryAfter);
  throw createProblem('rate_limited', { retryAfter, sentence });
};

/** Records in the audit trail that a wrong second-factor code was entered, and throws second_factor_code_wrong. */
export const refuseSecondFactorCode = async (app: App, userId: string, method: string): Promise<never> => {
  await noteSecurityEvent(app, { event: 'second_factor_refused', userId, detail: method });
  throw createProblem('second_factor_code_wrong');
};
