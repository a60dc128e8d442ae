import { createProblem, errorCatalog, Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { type Queryable, runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import { findLostAuthority, formatFailure } from './action-failures.ts';
import { getAppealCutoff, getReportCutoff, omitLaterAppeals } from './action-policy.ts';
import * as repository from './action-repository.ts';
import { applyEffect, auditEventByAction } from './effects.ts';
import { notifyOfOutcome } from './outcome-notices.ts';
import { withdrawFailedAction } from './waiting-action-repository.ts';
import { withdrawWaitingAction } from './waiting-actions.ts';

const isTemporary = ({ code }: Problem): boolean =>
  errorCatalog[code].status >= 500 || code === 'rate_limited';

/** Returns an action. Throws action_not_found when it does not exist. */
export const getAction = async (tx: Queryable, id: string): Promise<repository.ActionRow> => {
  const action = await repository.findAction(tx, id);
  if (!action) throw createProblem('action_not_found');
  return action;
};

const carryOut = async (app: App, tx: Transaction, id: string): Promise<void> => {
  const now = app.clock.now();
  const found = await repository.findAction(tx, id);
  const about = found && (await repository.findCaseForAction(tx, found.case_id, { isLocked: true }));
  if (!about) return;
  const lostAuthority = await findLostAuthority(tx, about, await getAction(tx, id));
  if (lostAuthority !== undefined) {
    await withdrawWaitingAction(app, tx, id, lostAuthority);
    return;
  }
  const listingStatus = about.listing?.status ?? null;
  if (!(await repository.markActionApplied(tx, id, { now, listingStatus }))) return;
  const action = { ...(await getAction(tx, id)), applied_at: now };
  const [appealCutoff, reportCutoff] = [getAppealCutoff(action), getReportCutoff(action)];
  const listingState = await applyEffect(app, tx, omitLaterAppeals(about, appealCutoff), action);
  await repository.resolveCase(tx, about.id, { appealCutoff, reportCutoff, now });
  await notifyOfOutcome(app, tx, about, action, { now, appealCutoff, reportCutoff, listingState });
  await noteSecurityEvent(
    app,
    {
      event: auditEventByAction[action.action],
      userId: about.person_id ?? undefined,
      detail: `case ${about.id}`,
      reason: action.reason,
      actor: action.actor_id ?? action.actor_name ?? undefined,
    },
    tx,
  );
};

/**
 * Carries out an action that is due. Does nothing when it was undone, is not due yet, or has taken effect. Withdraws an
 * action that its moderator may not take any more, or that has become impossible since it was chosen, such as suspending
 * the person who is the last administrator now.
 */
export const applyAction = async (app: App, id: string): Promise<void> => {
  try {
    await runInTransaction(app.sql, (tx) => carryOut(app, tx, id));
  } catch (error) {
    if (!(error instanceof Problem) || isTemporary(error)) throw error;
    await withdrawFailedAction(app.sql, id, { failure: formatFailure(error), now: app.clock.now() });
  }
};

/**
 * Carries out the due actions whose jobs were lost or ran too early. Tries all of them, then throws the errors of those
 * that failed.
 */
export const applyDueActions = async (app: App): Promise<void> => {
  const failures: unknown[] = [];
  for (const id of await repository.listDueActionIds(app.sql, app.clock.now()))
    await applyAction(app, id).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, 'Some actions could not take effect');
};
