import type { ListingStatus, PublicContent } from '#contract/listings.ts';
import type { CaseAction } from '#contract/moderation.ts';
import type { SecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds, type Clock, dayInSeconds } from '#server/platform/clock.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import { isListingApprovedByDismissal, restorableActions } from './action-policy.ts';
import { type ActionRow, type CaseForAction, setAppealTokenHash } from './action-repository.ts';
import { toListingVersion } from './listing-version.ts';
import {
  findRemainingSuspension,
  isChangeRequestInForce,
  listTakeDownDecisions,
  markActionsReversed,
  type ReversedAction,
} from './reversal-repository.ts';
import type { SignalRecorder } from './signals.ts';

/** Announces a committed change, for example by invalidating pages. Called after the transaction. */
type AfterCommit = () => Promise<void>;

/**
 * The functions of other features that carry out moderators' actions. They run in the action's transaction; the caller
 * writes the audit entry and the notifications.
 */
export interface ModerationPorts {
  listings: {
    takeDownWithin(
      tx: Transaction,
      id: string,
      decision: { reason: string; now: Date },
    ): Promise<AfterCommit>;
    /** Throws action_not_possible when the owner could not publish the listing again. */
    requestChangesWithin(tx: Transaction, id: string, reason: string): Promise<AfterCommit>;
    /** Changes the reason why a listing is taken down. */
    changeReasonWithin(tx: Transaction, id: string, reason: string): Promise<void>;
    /**
     * Reverses `takeDownWithin` and `requestChangesWithin`. If `wasSubmitted` returns true, meaning that the owner had
     * submitted the listing in its current version, publishes it again, or holds it for review if its wording requires
     * it. Otherwise the listing stays a draft. If `needsChanges` is true, because a request for changes still stands, it
     * stays a draft that shows the request.
     */
    restoreWithin(
      tx: Transaction,
      id: string,
      decision: { needsChanges: boolean; wasSubmitted(listing: PublicContent): boolean },
    ): Promise<{ announce: AfterCommit; status?: ListingStatus; holdDetail?: string | undefined }>;
  };
  review: {
    /**
     * Publishes a listing that has been held for review since before the decision. Throws listing_changed otherwise.
     */
    approveWithin(
      tx: Transaction,
      id: string,
      decision: { decidedAt: Date; isSeen(listing: PublicContent): boolean },
    ): Promise<AfterCommit>;
  };
  accounts: {
    /** Suspends an account. Throws last_administrator when this account is the only one that can grant roles. */
    suspendWithin(
      tx: Transaction,
      userId: string,
      suspension: { by: string; since: Date; until: Date | null; reason: string; appealToken: string },
    ): Promise<AfterCommit>;
    /**
     * Lifts a suspension if one of the actions in `setBy` set it, or replaces it with the one that `findRemaining`
     * returns.
     */
    liftWithin(
      tx: Transaction,
      userId: string,
      lifted: {
        setBy: readonly string[];
        findRemaining(): Promise<{ id: string; until: Date | null } | undefined>;
      },
    ): Promise<AfterCommit>;
  };
}

/** An action, as it takes effect in the current transaction. */
export type AppliedAction = ActionRow & { applied_at: Date };

const nothing: AfterCommit = async () => {};

/** State of a listing that an action restored but that is not public: another decision may keep it taken down. */
export type RestoredListingState = 'draft' | 'in_review' | 'taken_down';

/** The result of carrying out an action. */
interface Effect {
  announce: AfterCommit;
  /** Undefined if the action restored no listing, or the listing is public again or deleted by its owner. */
  listingState?: RestoredListingState | undefined;
}

/** The audit event that each action records. */
export const auditEventByAction: Record<CaseAction, SecurityEvent> = {
  dismiss: 'case_dismissed',
  warn: 'person_warned',
  unpublish: 'listing_taken_down',
  request_changes: 'changes_requested',
  suspend: 'account_suspended',
  restore: 'decision_reversed',
};

/**
 * Creates the function that carries out an action in a transaction. It returns the effect, with a function to call
 * after the commit.
 */
export const createEffectApplier = ({
  clock,
  openSignal,
  listings,
  review,
  accounts,
}: ModerationPorts & { clock: Clock; openSignal: SignalRecorder }) => {
  const restoreListing = async (
    tx: Transaction,
    listingId: string,
    restored: readonly ReversedAction[],
  ): Promise<Effect> => {
    const decisions = await listTakeDownDecisions(tx, listingId);
    const remaining = decisions.find(({ restored_at: restoredAt }) => restoredAt === null);
    if (remaining) {
      await listings.changeReasonWithin(tx, listingId, remaining.reason);
      return { announce: nothing, listingState: 'taken_down' };
    }
    // Look at all decisions: the status stored with a second decision is only the one that the first decision had set.
    const wasSubmitted = (listing: PublicContent) =>
      [...restored, ...decisions].some(
        ({ listing_version: version, listing_status: status }) =>
          status !== null && status !== 'draft' && version === toListingVersion(listing),
      );
    const needsChanges = await isChangeRequestInForce(tx, listingId);
    const { announce, status, holdDetail } = await listings.restoreWithin(tx, listingId, {
      needsChanges,
      wasSubmitted,
    });
    if (holdDetail !== undefined)
      await openSignal(tx, {
        subject: 'listing',
        subjectId: listingId,
        kind: 'prohibited_wording',
        detail: holdDetail,
        isHeld: true,
      });
    return { announce, listingState: status === 'draft' || status === 'in_review' ? status : undefined };
  };

  const restore = async (tx: Transaction, about: CaseForAction): Promise<Effect> => {
    const { subject_id: subjectId, person_id: personId } = about;
    const now = clock.now();
    const restored = await markActionsReversed(tx, { caseId: about.id, actions: restorableActions, now });
    const ofListing = restored.filter(({ action }) => action === 'unpublish' || action === 'request_changes');
    const ofPerson = restored.filter(({ action }) => action === 'suspend');
    const { announce, listingState }: Effect =
      subjectId && ofListing.length > 0
        ? await restoreListing(tx, subjectId, ofListing)
        : { announce: nothing };
    const announceLift =
      personId && ofPerson.length > 0
        ? await accounts.liftWithin(tx, personId, {
            setBy: ofPerson.map(({ id }) => id),
            findRemaining: () => findRemainingSuspension(tx, personId, now),
          })
        : nothing;
    return {
      announce: async () => {
        await announce();
        await announceLift();
      },
      listingState: about.listing ? listingState : undefined,
    };
  };

  const suspend = async (
    tx: Transaction,
    { id, reason, days, applied_at: since }: AppliedAction,
    userId: string,
  ): Promise<AfterCommit> => {
    const appealToken = generateToken();
    await setAppealTokenHash(tx, id, hashToken(appealToken));
    const until = days === null ? null : addSeconds(since, days * dayInSeconds);
    return accounts.suspendWithin(tx, userId, { by: id, since, until, reason, appealToken });
  };

  const change = (tx: Transaction, about: CaseForAction, action: AppliedAction): Promise<AfterCommit> => {
    const { subject_id: subjectId, person_id: personId } = about;
    if (action.action === 'suspend' && personId) return suspend(tx, action, personId);
    if (about.subject !== 'listing' || !subjectId) return Promise.resolve(nothing);
    // If the owner has deleted the listing since the action was chosen, it is still taken down, because the owner may
    // restore it.
    if (action.action === 'unpublish')
      return listings.takeDownWithin(tx, subjectId, { reason: action.reason, now: action.applied_at });
    if (action.action === 'request_changes')
      return listings.requestChangesWithin(tx, subjectId, action.reason);
    if (action.action === 'dismiss' && isListingApprovedByDismissal(about)) {
      const isSeen = (listing: PublicContent) => toListingVersion(listing) === action.listing_version;
      return review.approveWithin(tx, subjectId, { decidedAt: action.chosen_at, isSeen });
    }
    return Promise.resolve(nothing);
  };

  return async (tx: Transaction, about: CaseForAction, action: AppliedAction): Promise<Effect> =>
    action.action === 'restore' ? restore(tx, about) : { announce: await change(tx, about, action) };
};

export type EffectApplier = ReturnType<typeof createEffectApplier>;
