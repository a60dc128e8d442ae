import type { Mailer } from '#server/mail/public.ts';
import type { Notifier } from '#server/notifications/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { getReportCutoff } from './action-policy.ts';
import { type ActionRow, type CaseForAction, decideAppeals } from './action-repository.ts';
import { listSuspendedPeople } from './appeal-repository.ts';
import { listReporterIds } from './case-repository.ts';
import type { RestoredListingState } from './effects.ts';

/** Returns what the people who reported the subject of a case are told about the outcome. */
const getReportOutcome = (action: ActionRow['action']): 'acted' | 'nothing' | 'restored' => {
  if (action === 'restore') return 'restored';
  return action === 'dismiss' ? 'nothing' : 'acted';
};

/**
 * Returns the time after which a report must have arrived for its reporter to be told about an action, or null for any
 * time. Dismissing a case does not change what the latest earlier decision told reporters, for example when it rejects
 * an appeal.
 */
const getTimeOfToldReports = ({ actions }: CaseForAction, action: ActionRow['action']): Date | null => {
  const earlier = actions.find(({ applied_at: appliedAt }) => appliedAt !== null);
  return action === 'dismiss' && earlier ? (getReportCutoff(earlier) ?? earlier.applied_at) : null;
};

/**
 * Creates the function that runs when an action takes effect: it decides the appeals of the case that arrived until
 * `appealCutoff`, and notifies the appellants, the person concerned and the people who reported until `reportCutoff`.
 */
export const createOutcomeNotifier =
  ({ notify, mailer }: { notify: Notifier; mailer: Pick<Mailer, 'sendAppealDecided'> }) =>
  async (
    tx: Queryable,
    about: CaseForAction,
    action: ActionRow,
    {
      now,
      appealCutoff,
      reportCutoff,
      listingState,
    }: {
      now: Date;
      appealCutoff: Date | null;
      reportCutoff: Date | null;
      listingState: RestoredListingState | undefined;
    },
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
      // Suspended people can read no notifications and get no emails about them.
      for (const { email, suspended_until: until } of await listSuspendedPeople(tx, appellants))
        await mailer.sendAppealDecided(tx, {
          to: email,
          isGranted: facts.is_granted,
          reason: action.reason,
          until: until?.toISOString(),
        });
    }
    const isAppealGranted = isAppealDecided && action.action === 'restore';
    // A suspended person cannot log in; the email about the suspension tells them instead.
    if (personId && action.action !== 'dismiss' && action.action !== 'suspend' && !isAppealGranted) {
      const facts = { action: action.action, reason: action.reason, title, listing_state: listingState };
      await notify(tx, 'decision_made', [{ subjectId: action.id, facts, userIds: [personId] }]);
    }
    const after = getTimeOfToldReports(about, action.action);
    const reporters = await listReporterIds(tx, { caseId, after, until: reportCutoff });
    if (reporters.length > 0) {
      const facts = { outcome: getReportOutcome(action.action), subject, title: about.title };
      await notify(tx, 'report_handled', [{ subjectId: caseId, facts, userIds: reporters }]);
    }
  };

export type OutcomeNotifier = ReturnType<typeof createOutcomeNotifier>;
