import { createProblem } from '#contract/errors.ts';
import { type ModerationDecision, maxDecisionsShownToPerson, type NewAppeal } from '#contract/moderation.ts';
import type { App } from '#server/app.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { hashToken } from '#server/platform/secrets.ts';
import * as repository from './appeal-repository.ts';
import * as decisions from './decision-repository.ts';
import { presentDecision } from './presenter.ts';

/** Lists the decisions of moderators about a person, newest first. */
export const listDecisions = async (
  { sql }: App,
  userId: string,
): Promise<{ items: ModerationDecision[] }> => {
  const rows = await decisions.listDecisions(sql, userId, maxDecisionsShownToPerson);
  return { items: rows.map(presentDecision) };
};

const toActionKey = (userId: string | undefined, { action_id: id, token }: NewAppeal) => {
  if (token !== undefined) return { hash: hashToken(token) };
  if (userId === undefined || id === undefined) throw createProblem('not_authenticated');
  return { id };
};

/**
 * Stores an appeal and opens the case again. A suspended person, who cannot log in, names the decision by the token in
 * the email about that decision.
 */
export const submitAppeal = async (
  { sql, clock }: App,
  userId: string | undefined,
  form: NewAppeal,
): Promise<void> => {
  const key = toActionKey(userId, form);
  await runInTransaction(sql, async (tx) => {
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
};
