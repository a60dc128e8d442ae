/** These functions withdraw actions before they take effect, other than by the moderator's own undo. */

import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { lostRoleFailure } from './action-failures.ts';
import {
  releaseCase,
  releaseCasesOf,
  type WithdrawnAction,
  withdrawFailedAction,
  withdrawWaitingActionsOf,
} from './waiting-action-repository.ts';

const noteWithdrawal = (
  app: App,
  tx: Queryable,
  { case_id: caseId, person_id: personId, action }: WithdrawnAction,
  reason: string,
): Promise<void> =>
  noteSecurityEvent(
    app,
    {
      event: 'action_withdrawn',
      userId: personId ?? undefined,
      detail: `${action} in case ${caseId}`,
      reason,
    },
    tx,
  );

/** Withdraws an action, if it has neither taken effect nor been undone, and lets others work on its case. */
export const withdrawWaitingAction = async (
  app: App,
  tx: Queryable,
  id: string,
  failure: string,
): Promise<void> => {
  const withdrawn = await withdrawFailedAction(tx, id, { failure, now: app.clock.now() });
  if (!withdrawn) return;
  await releaseCase(tx, withdrawn.case_id);
  await noteWithdrawal(app, tx, withdrawn, failure);
};

/** Records that an administrator has undone somebody else's action, and lets others work on its case. */
export const recordUndo = async (app: App, tx: Queryable, undone: WithdrawnAction): Promise<void> => {
  await releaseCase(tx, undone.case_id);
  await noteWithdrawal(app, tx, undone, 'undone by an administrator');
};

/**
 * Withdraws the actions of a person who is about to lose the power to decide cases, and lets others work on the cases
 * that were reserved for them. Call it before changing the account, because the job that carries out an action locks its
 * case before accounts. Actions that take effect at this moment are skipped.
 */
export const endWaitingActions = async (app: App, tx: Queryable, userId: string): Promise<void> => {
  const withdrawn = await withdrawWaitingActionsOf(tx, userId, {
    failure: lostRoleFailure,
    now: app.clock.now(),
  });
  await releaseCasesOf(tx, userId);
  for (const action of withdrawn) await noteWithdrawal(app, tx, action, lostRoleFailure);
};
