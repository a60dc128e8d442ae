import { createProblem } from '#contract/errors.ts';
import { type ModerationDecision, maxDecisionsShownToPerson, type NewAppeal } from '#contract/moderation.ts';
import type { Clock } from '#server/platform/clock.ts';
import { runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import { hashToken } from '#server/platform/secrets.ts';
import * as repository from './appeal-repository.ts';
import { listDecisions } from './decision-repository.ts';
import { presentDecision } from './presenter.ts';

/** Creates the service with which people read decisions about them and appeal. */
export const createAppealService = ({ sql, clock }: { sql: Sql; clock: Clock }) => {
  const toActionKey = (userId: string | undefined, { action_id: id, token }: NewAppeal) => {
    if (token !== undefined) return { hash: hashToken(token) };
    if (userId === undefined || id === undefined) throw createProblem('not_authenticated');
    return { id };
  };

  return {
    /** Lists the decisions of moderators about a person, newest first. */
    listDecisions: async (userId: string): Promise<{ items: ModerationDecision[] }> => ({
      items: (await listDecisions(sql, userId, maxDecisionsShownToPerson)).map(presentDecision),
    }),

    /**
     * Stores an appeal and opens the case again. A suspended person, who cannot log in, names the decision by the token in
     * the email about that decision.
     */
    appeal: (userId: string | undefined, form: NewAppeal): Promise<void> => {
      const key = toActionKey(userId, form);
      return runInTransaction(sql, async (tx) => {
        const action = await repository.findAppealableAction(tx, key);
        const isOwn = action?.person_id && ('hash' in key || action.person_id === userId);
        if (!action?.person_id || !isOwn || action.action === 'dismiss' || !action.applied_at)
          throw createProblem('decision_not_found');
        if (action.action === 'restore' || action.restored_at) throw createProblem('appeal_not_possible');
        const now = clock.now();
        const isStored = await repository.insertAppeal(tx, {
          actionId: action.id,
          personId: action.person_id,
          text: form.text,
          now,
        });
        if (!isStored) throw createProblem('appeal_exists');
        await repository.reopenCase(tx, action.case_id, now);
      });
    },
  };
};

export type AppealService = ReturnType<typeof createAppealService>;
