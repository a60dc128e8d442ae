import type { ListingStatus } from '#contract/listings.ts';
import type { CaseAction } from '#contract/moderation.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import type { DecisionMailer } from './decision-emails.ts';
import { markListingDecisionsReversed } from './listing-decision-repository.ts';
import { findQuotedListing } from './quote-repository.ts';
import type { QuoteRecorder } from './quotes.ts';
import { notifyReportersOfReversals, type ReporterNotifier } from './reporter-notices.ts';
import { insertResolvedCase } from './resolved-case-repository.ts';
import { listTakeDownDecisions, lockCasesAboutListing } from './reversal-repository.ts';

interface ListingDecisionDeps {
  clock: Clock;
  storeQuote: QuoteRecorder;
  mailDecision: DecisionMailer;
  notifyReporters: ReporterNotifier;
}

/**
 * Creates the service that records decisions about listings that were made with commands, so that the owner can read
 * them under /decisions and appeal against them, like decisions made in the console.
 */
export const createListingDecisions = ({
  clock,
  storeQuote,
  mailDecision,
  notifyReporters,
}: ListingDecisionDeps) => ({
  /** Records a decision that has just taken effect, in a resolved case that quotes the listing. */
  record: async (
    tx: Transaction,
    {
      listingId,
      status,
      action,
      reason,
      actorName,
    }: {
      listingId: string;
      /** The status of the listing before the decision. */
      status: ListingStatus;
      action: Extract<CaseAction, 'unpublish' | 'request_changes'>;
      reason: string;
      actorName: string;
    },
  ): Promise<void> => {
    const quoted = await findQuotedListing(tx, listingId, { isPublic: false });
    if (!quoted) return;
    const now = clock.now();
    const { personId, title } = quoted;
    const { caseId, actionId } = await insertResolvedCase(tx, quoted, {
      action,
      reason,
      moderator: { name: actorName },
      actorRole: 'administrator',
      now,
      listingStatus: status,
    });
    await storeQuote(tx, caseId, quoted);
    await mailDecision(tx, { actionId, personId, facts: { action, reason, title }, now });
  },

  /** Returns whether a listing that is taken down was a draft before the first decision about it. */
  wasDraft: async (tx: Transaction, listingId: string): Promise<boolean> =>
    (await listTakeDownDecisions(tx, listingId)).at(-1)?.listing_status === 'draft',

  /**
   * Marks the decisions about a listing as reversed, except one with an open appeal, which a moderator still has to
   * decide, and tells the people whose reports led to them.
   */
  recordReversal: async (tx: Transaction, listingId: string): Promise<void> => {
    await lockCasesAboutListing(tx, listingId);
    const reversed = await markListingDecisionsReversed(tx, listingId, clock.now());
    await notifyReportersOfReversals(tx, notifyReporters, reversed);
  },
});
