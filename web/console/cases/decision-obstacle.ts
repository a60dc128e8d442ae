import type { ModerationCase } from '#contract/moderation.ts';

/** Returns why a moderator can take no action on a case now, or undefined if an action is possible or pending. */
export const findDecisionObstacle = (
  {
    state,
    assigned_to: assignedTo,
    actions,
    has_appeal: hasAppeal,
    needs_administrator: needsAdministrator,
    possible_actions: possibleActions,
  }: Pick<
    ModerationCase,
    'state' | 'assigned_to' | 'actions' | 'has_appeal' | 'needs_administrator' | 'possible_actions'
  >,
  ownId: string,
): 'resolved' | 'assigned' | 'own decision' | 'appeal to administrators' | 'own report' | undefined => {
  const isPending = actions.some(({ applied_at: appliedAt, undone_at: undoneAt }) => !appliedAt && !undoneAt);
  if (possibleActions.length > 0 || isPending) return undefined;
  if (state === 'resolved') return 'resolved';
  if (assignedTo && assignedTo.id !== ownId) return 'assigned';
  if (actions.some(({ is_own: isOwn, appeal }) => isOwn && appeal?.decided_at === null))
    return 'own decision';
  return hasAppeal && needsAdministrator ? 'appeal to administrators' : 'own report';
};
