/**
 * These functions record decisions about listings that were made with commands, so that the owner can read them under
 * /decisions and appeal against them, like decisions made in the console.
 */

import type { ListingStatus } from '#contract/listings.ts';
import type { CaseAction } from '#contract/moderation.ts';
import type { App } from '#server/app.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import { mailDecision } from './decision-emails.ts';
import { markTakeDownsReversed } from './listing-decision-repository.ts';
import { findQuotedListing } from './quote-repository.ts';
import { storeQuote } from './quotes.ts';
import { notifyReportersOfReversals } from './reporter-notices.ts';
import { insertResolvedCase } from './resolved-case-repository.ts';
import {
  type ListingDecision,
  listChangeRequests,
  listTakeDownDecisions,
  lockCasesAboutListing,
} from './reversal-repository.ts';

interface NewDecision {
  listingId: string;
  /** The status of the listing before the decision. */
  status: ListingStatus;
  action: Extract<CaseAction, 'unpublish' | 'request_changes'>;
  reason: string;
  actorName: string;
}

/** Records a decision that has just taken effect, in a resolved case that quotes the listing. */
export const recordListingDecision = async (
  app: App,
  tx: Transaction,
  { listingId, status, action, reason, actorName }: NewDecision,
): Promise<void> => {
  const quoted = await findQuotedListing(tx, listingId, { isPublic: false });
  if (!quoted) return;
  const now = app.clock.now();
  const { personId, title } = quoted;
  const { caseId, actionId } = await insertResolvedCase(tx, quoted, {
    action,
    reason,
    moderator: { name: actorName },
    actorRole: 'administrator',
    now,
    listingStatus: status,
  });
  await storeQuote(app, tx, caseId, quoted);
  await mailDecision(app, tx, { actionId, personId, facts: { action, reason, title }, now });
};

/** Returns whether a listing that is taken down was a draft before the first decision about it. */
export const wasDraftBeforeDecisions = async (tx: Transaction, listingId: string): Promise<boolean> =>
  (await listTakeDownDecisions(tx, listingId)).at(-1)?.listing_status === 'draft';

/** Returns what the newest of these requests that was not reversed asks for, or null if there is none. */
export const findRequestInForce = (requests: readonly ListingDecision[]): string | null =>
  requests.find(({ restored_at: restoredAt }) => restoredAt === null)?.reason ?? null;

/** Returns the changes that moderators request of a listing, or null if every request was reversed. */
export const findRequestedChanges = async (tx: Transaction, listingId: string): Promise<string | null> =>
  findRequestInForce(await listChangeRequests(tx, listingId));

/**
 * Marks the decisions that took a listing down as reversed, except one with an open appeal, which a moderator still has to
 * decide, and tells the people whose reports led to them. Requests for changes stay in force.
 */
export const recordListingReversal = async (app: App, tx: Transaction, listingId: string): Promise<void> => {
  await lockCasesAboutListing(tx, listingId);
  const reversed = await markTakeDownsReversed(tx, listingId, app.clock.now());
  await notifyReportersOfReversals(app, tx, reversed);
};
