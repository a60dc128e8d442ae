import type { Notifier } from '#server/notifications/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type ActionRow, type CaseForAction, decideAppeals, listReporterIds } from './action-repository.ts';
import type { RestoredListingState } from './effects.ts';

/**
 * Returns what the people who reported the subject of a case are told about the outcome, or undefined when they are
 * not notified.
 */
const getReportOutcome = (
  action: ActionRow['action'],
  isAppealDecided: boolean,
): 'acted' | 'nothing' | 'restored' | undefined => {
  if (action === 'restore') return 'restored';
  if (action !== 'dismiss') return 'acted';
  // Dismissing a case can reject an appeal. In that case, the outcome for the reporters does not change, and they are
  // not notified again.
  return isAppealDecided ? undefined : 'nothing';
};

/**
 * Creates the function that runs when an action takes effect: it decides the appeals of the case that arrived until
 * `appealCutoff`, and notifies the appellants, the person concerned and the reporters.
 */
export const createOutcomeNotifier =
  ({ notify }: { notify: Notifier }) =>
  async (
    tx: Queryable,
    about: CaseForAction,
    action: ActionRow,
    {
      now,
      appealCutoff,
      listingState,
    }: { now: Date; appealCutoff: Date | null; listingState: RestoredListingState | undefined },
  ): Promise<void> => {
    const { id: caseId, person_id: personId, subject } = about;
    const appellants = await decideAppeals(tx, {
      caseId,
      appealCutoff,
      isGranted: action.action === 'restore',
      now,
    });
    const title = subject === 'listing' ? about.title : null;
    const isAppealDecided = appellants.length > 0;
    if (isAppealDecided) {
      const facts = {
        is_granted: action.action === 'restore',
        reason: action.reason,
        listing_state: listingState,
      };
      await notify(tx, 'appeal_decided', [{ subjectId: action.id, facts, userIds: appellants }]);
    }
    const isAppealGranted = isAppealDecided && action.action === 'restore';
    // A suspended person cannot log in; the email about the suspension tells them instead.
    if (personId && action.action !== 'dismiss' && action.action !== 'suspend' && !isAppealGranted) {
      const facts = { action: action.action, reason: action.reason, title, listing_state: listingState };
      await notify(tx, 'decision_made', [{ subjectId: action.id, facts, userIds: [personId] }]);
    }
    const outcome = getReportOutcome(action.action, isAppealDecided);
    const reporters = outcome ? await listReporterIds(tx, caseId) : [];
    if (outcome && reporters.length > 0) {
      const facts = { outcome, subject, title: about.title };
      await notify(tx, 'report_handled', [{ subjectId: caseId, facts, userIds: reporters }]);
    }
  };

export type OutcomeNotifier = ReturnType<typeof createOutcomeNotifier>;
