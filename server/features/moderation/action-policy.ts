import type { ConsoleRole } from '#contract/console.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { CaseAction, ChosenAction } from '#contract/moderation.ts';
import type { ActionRow, ActionState, CaseFacts, CaseForAction, Moderator } from './action-repository.ts';

/** The actions that a later `restore` action can reverse. */
export const restorableActions: readonly CaseAction[] = ['warn', 'unpublish', 'request_changes', 'suspend'];

/** Returns whether an action took effect and `restore` would reverse it. */
const isReversible = ({ action, applied_at: appliedAt, restored_at: restoredAt }: ActionState): boolean =>
  restorableActions.includes(action) && appliedAt !== null && restoredAt === null;

/** Returns whether reversing an action would change something, or would grant an appeal. */
const isRestorable = ({ actions, listing, wanted }: CaseFacts, it: ActionState): boolean => {
  if (!isReversible(it)) return false;
  if (actions.some((other) => other.is_appealed)) return true;
  if (it.action === 'suspend') return it.is_in_force;
  return it.action === 'warn' || listing !== null || wanted !== null;
};

/** Returns whether the owner of the listing could publish it again after a request for changes. */
const canRequestChanges = ({ listing }: CaseFacts): boolean =>
  listing !== null && !listing.is_taken_down && !listing.is_sale_confirmed;

/** Returns the actions that make sense for a case, regardless of who takes them. */
export const listPossibleActions = (facts: CaseFacts): CaseAction[] => {
  const hasPerson = facts.person_id !== null;
  const restores = hasPerson && facts.actions.some((it) => isRestorable(facts, it));
  // A resolved case allows only reversing its decision.
  if (facts.resolved_at) return restores ? ['restore'] : [];
  return [
    'dismiss',
    ...(restores ? (['restore'] as const) : []),
    ...(hasPerson ? (['warn'] as const) : []),
    ...(facts.listing || facts.wanted ? (['unpublish'] as const) : []),
    ...(canRequestChanges(facts) ? (['request_changes'] as const) : []),
    ...(hasPerson ? (['suspend'] as const) : []),
  ];
};

/**
 * Returns whether dismissing a case approves the held listing. If there is an open appeal, dismissing only rejects the
 * appeal.
 */
export const isListingApprovedByDismissal = ({ holds_listing: holdsListing, actions }: CaseFacts): boolean =>
  holdsListing && !actions.some((it) => it.is_appealed);

/**
 * Returns the time until which an appeal must have arrived for an action to decide it, or null for any time. A moderator
 * decides only appeals that they could read when they chose the action, but reversing a decision grants all of them.
 */
export const getAppealCutoff = ({ action, chosen_at: chosenAt }: ActionRow): Date | null =>
  action === 'restore' ? null : chosenAt;

/**
 * Returns whether an action also settles the reports that arrive before it takes effect, because their subject is gone
 * for good. After any other action a moderator still has to read them.
 */
export const settlesLaterReports = ({ action, days }: Pick<ChosenAction, 'action' | 'days'>): boolean =>
  action === 'unpublish' || (action === 'suspend' && days === undefined);

/** Returns the time until which a report or signal must have arrived for an action to settle it, or null for any time. */
export const getReportCutoff = ({
  action,
  days,
  chosen_at: chosenAt,
}: Pick<ActionRow, 'action' | 'days' | 'chosen_at'>): Date | null =>
  settlesLaterReports({ action, days: days ?? undefined }) ? null : chosenAt;

/** Returns a case without the appeals that arrived after `cutoff`, if it is not null. */
export const omitLaterAppeals = (about: CaseForAction, cutoff: Date | null): CaseForAction => ({
  ...about,
  actions: about.actions.map((it) =>
    cutoff && it.appealed_at && it.appealed_at > cutoff ? { ...it, is_appealed: false } : it,
  ),
});

/** Returns whether a case is about the moderator, who then must not see who reported them. */
export const isOwnCase = (
  { person_id: personId }: Pick<CaseFacts, 'person_id'>,
  moderator: { userId: string } | { name: string },
): boolean => 'userId' in moderator && moderator.userId === personId;

const isOwnDecisionAppealed = ({ actions }: CaseFacts, moderator: Moderator): boolean =>
  'userId' in moderator && actions.some((it) => it.is_appealed && it.actor_id === moderator.userId);

/**
 * Returns whether the moderator would be judging their own report: the case is open, and they reported its subject.
 * False in a resolved case, because there they can only reverse the decision, which does not favor their report.
 */
const isOwnReport = (
  { resolved_at: resolvedAt, reporting_moderator_ids: reporterIds }: CaseFacts,
  moderator: Moderator,
): boolean => 'userId' in moderator && resolvedAt === null && reporterIds.includes(moderator.userId);

const findConflictOfInterest = (facts: CaseFacts, moderator: Moderator): ErrorCode | undefined => {
  if (isOwnCase(facts, moderator)) return 'own_case';
  // Moderators may decide about their own report, or an appeal against their own decision, only if nobody else can.
  return facts.has_impartial_moderator &&
    (isOwnReport(facts, moderator) || isOwnDecisionAppealed(facts, moderator))
    ? 'other_moderator_required'
    : undefined;
};

/** Returns why a moderator may not work on a case now, or undefined when they may. */
export const findAssignmentError = (
  facts: CaseFacts,
  moderator: Moderator,
  now: Date,
): ErrorCode | undefined => {
  const ownId = 'userId' in moderator ? moderator.userId : undefined;
  const isReserved =
    facts.assigned_to !== null && facts.assigned_until !== null && facts.assigned_until > now;
  const conflict = findConflictOfInterest(facts, moderator);
  return isReserved && facts.assigned_to !== ownId && conflict !== 'own_case' ? 'case_assigned' : conflict;
};

const isByAdministrator = ({ actor_role: role }: ActionState): boolean => role !== 'moderator';

/**
 * Returns whether only an administrator may take an action. Somebody with a role in the console is judged by
 * administrators, and a decision of an administrator, also on appeal, is reversed only by administrators.
 */
const isAdministratorAction = ({ person_role: role, actions }: CaseFacts, action: CaseAction): boolean =>
  (action !== 'dismiss' && role !== null) ||
  actions.some((it) => it.is_appealed && isByAdministrator(it)) ||
  (action === 'restore' && actions.some((it) => isReversible(it) && isByAdministrator(it)));

/** Returns the role of a moderator. The user of a command counts as an administrator. */
export const getModeratorRole = (moderator: Moderator): ConsoleRole =>
  'role' in moderator ? moderator.role : 'administrator';

/** Returns whether a moderator is an administrator, as the user of a command is. */
export const isAdministrator = (moderator: Moderator): boolean =>
  getModeratorRole(moderator) === 'administrator';

export const isOwnAction = (
  { actor_id: actorId }: Pick<ActionState, 'actor_id'>,
  moderator: Moderator,
): boolean => 'userId' in moderator && moderator.userId === actorId;

/**
 * Returns whether a moderator can only dismiss a case, or cannot decide it at all, because the rest needs an
 * administrator.
 */
export const needsAdministrator = (facts: CaseFacts, moderator: Moderator): boolean =>
  !isAdministrator(moderator) && isAdministratorAction(facts, facts.resolved_at ? 'restore' : 'warn');

/**
 * Returns why a moderator may not decide a case with an action, whether they choose it now or it is about to take
 * effect, or undefined when they may.
 */
export const findAuthorityError = (
  facts: CaseFacts,
  action: CaseAction,
  moderator: Moderator,
): ErrorCode | undefined => {
  const conflict = findConflictOfInterest(facts, moderator);
  if (conflict) return conflict;
  return isAdministratorAction(facts, action) && !isAdministrator(moderator)
    ? 'administrator_required'
    : undefined;
};

/** Returns why a moderator may not choose an action now, or undefined when they may. */
export const findActionError = (
  facts: CaseFacts,
  action: CaseAction,
  moderator: Moderator,
  now: Date,
): ErrorCode | undefined => {
  const error = findAssignmentError(facts, moderator, now) ?? findAuthorityError(facts, action, moderator);
  if (error) return error;
  if (facts.actions.some((it) => it.applied_at === null && it.undone_at === null)) return 'action_pending';
  if (!listPossibleActions(facts).includes(action))
    return facts.resolved_at ? 'case_resolved' : 'action_not_possible';
  return undefined;
};
