import type { PublicContent } from '#contract/listings.ts';
import type { CaseAction } from '#contract/moderation.ts';
import type { App } from '#server/app.ts';
import { liftSuspension } from '#server/features/accounts/public.ts';
import type { SecurityEvent } from '#server/features/audit/public.ts';
import {
  approveListingWithin,
  changeTakeDownReasonWithin,
  requestListingChangesWithin,
  restoreListingWithin,
  takeDownListingWithin,
} from '#server/features/listings/public.ts';
import { restoreWantedPost, takeDownWantedPost } from '#server/features/wanted/public.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import { isListingApprovedByDismissal, restorableActions } from './action-policy.ts';
import type { ActionRow, CaseForAction } from './action-repository.ts';
import { findRequestInForce } from './listing-decisions.ts';
import { toListingVersion } from './listing-version.ts';
import { suspend } from './person-decisions.ts';
import {
  findRemainingSuspension,
  findWantedPostTakeDown,
  listChangeRequests,
  listTakeDownDecisions,
  markActionsReversed,
  type ReversedAction,
} from './reversal-repository.ts';
import { openSignal } from './signals.ts';

/** An action, as it takes effect in the current transaction. */
type AppliedAction = ActionRow & { applied_at: Date };

/** State of a listing that an action restored but that is not public: another decision may keep it taken down. */
export type RestoredListingState = 'draft' | 'in_review' | 'taken_down';

export const auditEventByAction: Record<CaseAction, SecurityEvent> = {
  dismiss: 'case_dismissed',
  warn: 'person_warned',
  unpublish: 'listing_taken_down',
  request_changes: 'changes_requested',
  suspend: 'account_suspended',
  restore: 'decision_reversed',
};

const restoreListing = async (
  app: App,
  tx: Transaction,
  listingId: string,
  restored: readonly ReversedAction[],
): Promise<RestoredListingState | undefined> => {
  const decisions = await listTakeDownDecisions(tx, listingId);
  const remaining = decisions.find(({ restored_at: restoredAt }) => restoredAt === null);
  if (remaining) {
    await changeTakeDownReasonWithin(tx, listingId, remaining.reason);
    return 'taken_down';
  }
  const requests = await listChangeRequests(tx, listingId);
  // Look at all decisions: the status stored with a second decision is only the one that the first decision had set.
  const wasSubmitted = (listing: PublicContent) =>
    [...restored, ...decisions, ...requests].some(
      ({ listing_version: version, listing_status: status }) =>
        status !== null && status !== 'draft' && version === toListingVersion(listing),
    );
  const { status, holdDetail } = await restoreListingWithin(app, tx, listingId, {
    requestedChanges: findRequestInForce(requests),
    wasSubmitted,
  });
  if (holdDetail !== undefined)
    await openSignal(app, tx, {
      subject: 'listing',
      subjectId: listingId,
      kind: 'prohibited_wording',
      detail: holdDetail,
      isHeld: true,
    });
  return status === 'draft' || status === 'in_review' ? status : undefined;
};

/** Reverses the decisions of a case. Returns the new state of its listing, as `applyEffect` does. */
const restore = async (
  app: App,
  tx: Transaction,
  about: CaseForAction,
): Promise<RestoredListingState | undefined> => {
  const { subject_id: subjectId, person_id: personId } = about;
  const now = app.clock.now();
  const restored = await markActionsReversed(tx, { caseId: about.id, actions: restorableActions, now });
  const ofListing = restored.filter(({ action }) => action === 'unpublish' || action === 'request_changes');
  const ofPerson = restored.filter(({ action }) => action === 'suspend');
  const listingState =
    about.subject === 'listing' && subjectId && ofListing.length > 0
      ? await restoreListing(app, tx, subjectId, ofListing)
      : undefined;
  if (about.subject === 'wanted' && subjectId && ofListing.length > 0) {
    const remaining = await findWantedPostTakeDown(tx, subjectId);
    if (remaining === undefined) await restoreWantedPost(tx, subjectId);
    else await takeDownWantedPost(tx, { id: subjectId, reason: remaining, now });
  }
  if (personId && ofPerson.length > 0)
    await liftSuspension(app, tx, personId, {
      isMeant: ({ by }) => ofPerson.some(({ id }) => id === by),
      findRemaining: () => findRemainingSuspension(tx, personId, now),
    });
  return about.listing ? listingState : undefined;
};

const change = async (
  app: App,
  tx: Transaction,
  about: CaseForAction,
  action: AppliedAction,
): Promise<void> => {
  const { subject_id: subjectId, person_id: personId } = about;
  const { reason } = action;
  if (action.action === 'suspend' && personId)
    await suspend(app, tx, personId, {
      actionId: action.id,
      reason,
      days: action.days,
      since: action.applied_at,
      replacesCurrent: false,
    });
  else if (about.subject === 'wanted' && subjectId && action.action === 'unpublish')
    await takeDownWantedPost(tx, { id: subjectId, reason, now: action.applied_at });
  else if (about.subject !== 'listing' || !subjectId) return;
  // If the owner has deleted the listing since the action was chosen, it is still taken down, because the owner may
  // restore it.
  else if (action.action === 'unpublish')
    await takeDownListingWithin(app, tx, subjectId, { reason, now: action.applied_at });
  else if (action.action === 'request_changes') await requestListingChangesWithin(app, tx, subjectId, reason);
  else if (action.action === 'dismiss' && isListingApprovedByDismissal(about)) {
    const isSeen = (listing: PublicContent) => toListingVersion(listing) === action.listing_version;
    await approveListingWithin(app, tx, subjectId, { decidedAt: action.chosen_at, isSeen });
  }
};

/**
 * Applies the effect of an action, which is what it does to the listing and the account of the case. The caller writes
 * the audit entry and the notifications. Returns undefined if the action restored no listing, or the listing is public
 * again or deleted by its owner. Throws action_not_possible, listing_changed or last_administrator when the effect has
 * become impossible.
 */
export const applyEffect = async (
  app: App,
  tx: Transaction,
  about: CaseForAction,
  action: AppliedAction,
): Promise<RestoredListingState | undefined> => {
  if (action.action === 'restore') return restore(app, tx, about);
  await change(app, tx, about, action);
  return undefined;
};
