import type { App } from '#server/app.ts';
import { notify } from '#server/features/notifications/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { getReportCutoff, restorableActions } from './action-policy.ts';
import type { ActionRow, CaseForAction } from './action-repository.ts';
import * as repository from './action-repository.ts';
import { listSuspendedPeople } from './appeal-repository.ts';
import { mailDecision } from './decision-emails.ts';
import type { RestoredListingState } from './effects.ts';
import { notifyReporters } from './reporter-notices.ts';

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

interface Outcome {
  now: Date;
  /** The time until which the decided appeals arrived, or null for any time. */
  appealCutoff: Date | null;
  /** The time until which the settled reports arrived, or null for any time. */
  reportCutoff: Date | null;
  listingState: RestoredListingState | undefined;
}

/** Decides the appeals of a case with an action, and notifies the appellants. Returns whether there were any. */
const decideAppeals = async (
  app: App,
  tx: Queryable,
  { id: caseId }: CaseForAction,
  action: ActionRow,
  { now, appealCutoff, listingState }: Outcome,
): Promise<boolean> => {
  const isGranted = action.action === 'restore';
  const appellants = await repository.decideAppeals(tx, { caseId, appealCutoff, isGranted, now });
  if (appellants.length === 0) return false;
  const facts = { is_granted: isGranted, reason: action.reason, listing_state: listingState };
  await notify(app, tx, 'appeal_decided', [{ subjectId: action.id, facts, userIds: appellants }]);
  // Suspended people can read no notifications and get no emails about them.
  for (const { email, suspended_until: until } of await listSuspendedPeople(tx, { ids: appellants, now }))
    await app.mail.send(tx, {
      kind: 'appeal_decided',
      to: email,
      isGranted,
      reason: action.reason,
      until: until?.toISOString(),
    });
  return true;
};

/** Notifies the people who reported, when an action takes effect. */
const notifyOfHandledReports = async (
  app: App,
  tx: Queryable,
  about: CaseForAction,
  action: ActionRow,
  { reportCutoff, isAppealDecided }: Pick<Outcome, 'reportCutoff'> & { isAppealDecided: boolean },
): Promise<void> => {
  const toldUntil = getToldUntil(findLastTold(about));
  if (action.action === 'restore') {
    await notifyReporters(app, tx, about, 'restored', {
      after: null,
      until: getToldUntil(findLastReversed(about)) ?? reportCutoff,
    });
    if (toldUntil)
      await notifyReporters(app, tx, about, 'nothing', { after: toldUntil, until: reportCutoff });
  } else if (action.action === 'dismiss') {
    // Rejecting an appeal keeps the earlier decision, which reporters who were notified of it know.
    const isGone =
      about.person_id === null ||
      (about.subject === 'listing' && about.listing === null) ||
      (about.subject === 'wanted' && about.wanted === null);
    const outcome = isAppealDecided ? 'acted' : isGone ? 'gone' : 'nothing';
    await notifyReporters(app, tx, about, outcome, { after: toldUntil, until: reportCutoff });
  } else await notifyReporters(app, tx, about, 'acted', { after: null, until: reportCutoff });
};

/**
 * Decides the appeals of a case that arrived until `appealCutoff`, when an action takes effect, and notifies the
 * appellants, the person concerned and the people who reported until `reportCutoff`.
 */
export const notifyOfOutcome = async (
  app: App,
  tx: Queryable,
  about: CaseForAction,
  action: ActionRow,
  outcome: Outcome,
): Promise<void> => {
  const { person_id: personId } = about;
  const { now, listingState } = outcome;
  const title = ['listing', 'wanted'].includes(about.subject) ? about.title : null;
  const isAppealDecided = await decideAppeals(app, tx, about, action, outcome);
  const isAppealGranted = isAppealDecided && action.action === 'restore';
  // A suspended person cannot log in; the email about the suspension tells them instead.
  if (personId && action.action !== 'dismiss' && action.action !== 'suspend' && !isAppealGranted) {
    const facts = { action: action.action, reason: action.reason, title, listing_state: listingState };
    await notify(app, tx, 'decision_made', [{ subjectId: action.id, facts, userIds: [personId] }]);
    await mailDecision(app, tx, { actionId: action.id, personId, facts, now });
  }
  await notifyOfHandledReports(app, tx, about, action, {
    reportCutoff: outcome.reportCutoff,
    isAppealDecided,
  });
};
