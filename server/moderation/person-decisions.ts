import type { Transaction } from '#server/platform/postgres/database.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import type { Moderator } from './action-repository.ts';
import { findQuotedUser } from './quote-repository.ts';
import type { QuoteRecorder } from './quotes.ts';
import { insertResolvedCase } from './resolved-case-repository.ts';

interface RecordedSuspension {
  personId: string;
  since: Date;
  /** Number of days after which the suspension ends by itself, or null if it does not. */
  days: number | null;
  reason: string;
  moderator: Moderator;
}

/**
 * Creates the service that records the suspensions that administrators impose outside of a case, in the console or
 * with a command, so that the person can appeal against them like against any other decision.
 */
export const createPersonDecisions = ({ storeQuote }: { storeQuote: QuoteRecorder }) => ({
  /**
   * Records a suspension in a resolved case, in the transaction that suspends the account. Returns the id of the action
   * and the token for an appeal, or undefined when the account is not confirmed.
   */
  recordSuspension: async (
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
      now: since,
      days,
      appealHash: hashToken(appealToken),
    });
    await storeQuote(tx, caseId, quoted);
    return { by: actionId, appealToken };
  },
});

export type PersonDecisions = ReturnType<typeof createPersonDecisions>;
