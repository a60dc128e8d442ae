import type { ModerationAction, ModerationCase } from '#contract/moderation.ts';
import { isolateDirection } from '#contract/text-direction.ts';

type DecisionObstacle = 'resolved' | 'assigned' | 'own decision' | 'appeal to administrators' | 'own report';

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
): DecisionObstacle | undefined => {
  const isPending = actions.some(({ applied_at: appliedAt, undone_at: undoneAt }) => !appliedAt && !undoneAt);
  if (possibleActions.length > 0 || isPending) return undefined;
  if (state === 'resolved') return 'resolved';
  if (assignedTo && assignedTo.id !== ownId) return 'assigned';
  if (actions.some(({ is_own: isOwn, appeal }) => isOwn && appeal?.decided_at === null))
    return 'own decision';
  return hasAppeal && needsAdministrator ? 'appeal to administrators' : 'own report';
};

const isReversible = ({ action, applied_at: appliedAt, restored_at: restoredAt }: ModerationAction) =>
  action !== 'dismiss' && action !== 'restore' && appliedAt !== null && restoredAt === null;

/** Returns the sentence that says why a moderator can take no action on a case now. */
export const formatDecisionObstacle = (
  obstacle: DecisionObstacle,
  item: Pick<ModerationCase, 'assigned_to' | 'actions' | 'needs_administrator'>,
): string =>
  ({
    resolved:
      item.needs_administrator && item.actions.some(isReversible)
        ? 'This case is resolved. Only an administrator can reverse a decision in it.'
        : 'This case is resolved, and no decision can be reversed.',
    assigned: `${isolateDirection(item.assigned_to?.name ?? '')} is working on this case.`,
    'own decision': 'The appeal is against your own decision, so another moderator has to decide it.',
    'appeal to administrators':
      'The appeal is against a decision of an administrator, so an administrator has to decide it.',
    'own report': 'You reported this yourself, so another moderator has to decide it.',
  })[obstacle];
