import type { ModerationCase } from '#contract/moderation.ts';

/** Returns why a moderator can take no action on a case now, or undefined if an action is possible or pending. */
export const findDecisionObstacle = (
  {
    state,
    assigned_to: assignedTo,
    actions,
    possible_actions: possibleActions,
  }: Pick<ModerationCase, 'state' | 'assigned_to' | 'actions' | 'possible_actions'>,
  ownId: string,
): 'resolved' | 'assigned' | 'own decision' | 'own report' | undefined => {
  const isPending = actions.some(({ applied_at: appliedAt, undone_at: undoneAt }) => !appliedAt && !undoneAt);
  if (possibleActions.length > 0 || isPending) return undefined;
  if (state === 'resolved') return 'resolved';
  if (assignedTo && assignedTo.id !== ownId) return 'assigned';
  return actions.some(({ is_own: isOwn, appeal }) => isOwn && appeal?.decided_at === null)
    ? 'own decision'
    : 'own report';
};
