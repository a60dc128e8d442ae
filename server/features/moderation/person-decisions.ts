/**
 * These functions record the suspensions that administrators impose or lift outside of a case, in the console or with a
 * command, so that the person reads them like any other decision and can appeal.
 */

import type { App } from '#server/app.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import { getModeratorRole } from './action-policy.ts';
import type { Moderator } from './action-repository.ts';
import { findQuotedUser } from './quote-repository.ts';
import { storeQuote } from './quotes.ts';
import { notifyReportersOfReversals } from './reporter-notices.ts';
import { insertResolvedCase } from './resolved-case-repository.ts';
import { lockCasesAboutPerson, markSuspensionsReversed } from './reversal-repository.ts';

interface RecordedSuspension {
  personId: string;
  since: Date;
  /** Number of days after which the suspension ends by itself, or null if it does not. */
  days: number | null;
  reason: string;
  moderator: Moderator;
}

/**
 * Records a suspension in a resolved case, in the transaction that suspends the account. Returns the id of the action
 * and the token for an appeal, or undefined when the account is not confirmed.
 */
export const recordSuspension = async (
  app: App,
  tx: Transaction,
  { personId, since, days, reason, moderator }: RecordedSuspension,
): Promise<{ by: string; appealToken: string } | undefined> => {
  const quoted = await findQuotedUser(tx, personId);
  if (!quoted) return undefined;
  const appealToken = generateToken();
  const { caseId, actionId } = await insertResolvedCase(tx, quoted, {
    action: 'suspend',
    reason,
    moderator,
    actorRole: getModeratorRole(moderator),
    now: since,
    days,
    appealHash: hashToken(appealToken),
  });
  await storeQuote(app, tx, caseId, quoted);
  return { by: actionId, appealToken };
};

/**
 * Marks the suspensions of a person whose account is no longer suspended as reversed, except one with an open appeal,
 * which a moderator still has to decide, and tells the people whose reports led to them.
 */
export const recordLiftedSuspension = async (app: App, tx: Transaction, personId: string): Promise<void> => {
  await lockCasesAboutPerson(tx, personId);
  const reversed = await markSuspensionsReversed(tx, personId, app.clock.now());
  await notifyReportersOfReversals(app, tx, reversed);
};
