import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Queryable, Transaction } from '#server/platform/postgres/database.ts';
import { lostRoleFailure } from './action-failures.ts';
import {
  releaseCase,
  releaseCasesOf,
  type WithdrawnAction,
  withdrawFailedAction,
  withdrawWaitingActionsOf,
} from './waiting-action-repository.ts';

interface WaitingActionDeps {
  clock: Clock;
  audit: Pick<AuditTrail, 'note'>;
}

/** Creates the functions that withdraw actions before they take effect, other than by the moderator's own undo. */
export const createWaitingActions = ({ clock, audit }: WaitingActionDeps) => {
  const note = (
    tx: Queryable,
    { case_id: caseId, person_id: personId, action }: WithdrawnAction,
    reason: string,
  ) =>
    audit.note(
      {
        event: 'action_withdrawn',
        userId: personId ?? undefined,
        detail: `${action} in case ${caseId}`,
        reason,
      },
      tx,
    );

  return {
    /** Withdraws an action, if it has neither taken effect nor been undone, and lets others work on its case. */
    withdraw: async (tx: Transaction, id: string, failure: string): Promise<void> => {
      const withdrawn = await withdrawFailedAction(tx, id, { failure, now: clock.now() });
      if (!withdrawn) return;
      await releaseCase(tx, withdrawn.case_id);
      await note(tx, withdrawn, failure);
    },

    /** Records that an administrator has undone somebody else's action, and lets others work on its case. */
    recordUndo: async (tx: Transaction, undone: WithdrawnAction): Promise<void> => {
      await releaseCase(tx, undone.case_id);
      await note(tx, undone, 'undone by an administrator');
    },

    /**
     * Withdraws the actions of a person who is about to lose the power to decide cases, and lets others work on the
     * cases that were reserved for them. Call it before changing the account, because the job that carries out an action
     * locks its case before accounts. Actions that take effect at this moment are skipped.
     */
    endAllOf: async (tx: Transaction, userId: string): Promise<void> => {
      const withdrawn = await withdrawWaitingActionsOf(tx, userId, {
        failure: lostRoleFailure,
        now: clock.now(),
      });
      await releaseCasesOf(tx, userId);
      for (const action of withdrawn) await note(tx, action, lostRoleFailure);
    },
  };
};

export type WaitingActions = ReturnType<typeof createWaitingActions>;
