import type { Notifier } from '#server/features/notifications/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { getReportCutoff, restorableActions } from './action-policy.ts';
import { type ActionRow, type CaseForAction, decideAppeals } from './action-repository.ts';
import { listSuspendedPeople } from './appeal-repository.ts';
import type { DecisionMailer } from './decision-emails.ts';
import type { RestoredListingState } from './effects.ts';
import type { ReporterNotifier } from './reporter-notices.ts';

/** Returns the time until which reports had arrived whose reporters were notified of an action, or null without one. */
const getToldUntil = (action: ActionRow | undefined): Date | null =>
  action ? (getReportCutoff(action) ?? action.applied_at) : null;

/** Finds the newest decision about the case whose reporters were notified. */
const findLastTold = ({ actions }: CaseForAction) =>
  actions.find(({ applied_at: appliedAt }) => appliedAt !== null);

/**
 * Finds the newest decision whose reporters read that action was taken, although reversing it now makes that untrue: a
 * decision that is reversed, or a dismissal that kept it by rejecting an appeal.
 */
const findLastReversed = ({ actions }: CaseForAction) =>
  actions.find(
    ({ action, applied_at: appliedAt, restored_at: restoredAt }) =>
      appliedAt &&
      ((restorableActions.includes(action) && !restoredAt) ||
        actions.some((it) => it.is_granted === false && it.decided_at?.getTime() === appliedAt.getTime())),
  );

/**
 * Creates the function that runs when an action takes effect: it decides the appeals of the case that arrived until
 * `appealCutoff`, and notifies the appellants, the person concerned and the people who reported until `reportCutoff`.
 */
export const createOutcomeNotifier =
  ({
    notify,
    notifyReporters,
    mailDecision,
    mailer,
  }: {
    notify: Notifier;
    notifyReporters: ReporterNotifier;
    mailDecision: DecisionMailer;
    mailer: Pick<Mailer, 'sendAppealDecided'>;
  }) =>
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
      for (const { email, suspended_until: until } of await listSuspendedPeople(tx, { ids: appellants, now }))
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
      await mailDecision(tx, { actionId: action.id, personId, facts, now });
    }
    const toldUntil = getToldUntil(findLastTold(about));
    if (action.action === 'restore') {
      await notifyReporters(tx, about, 'restored', {
        after: null,
        until: getToldUntil(findLastReversed(about)) ?? reportCutoff,
      });
      if (toldUntil) await notifyReporters(tx, about, 'nothing', { after: toldUntil, until: reportCutoff });
    } else if (action.action === 'dismiss') {
      // Rejecting an appeal keeps the earlier decision, which reporters who were notified of it know.
      const isGone = personId === null || (subject === 'listing' && about.listing === null);
      const outcome = isAppealDecided ? 'acted' : isGone ? 'gone' : 'nothing';
      await notifyReporters(tx, about, outcome, { after: toldUntil, until: reportCutoff });
    } else await notifyReporters(tx, about, 'acted', { after: null, until: reportCutoff });
  };

export type OutcomeNotifier = ReturnType<typeof createOutcomeNotifier>;
