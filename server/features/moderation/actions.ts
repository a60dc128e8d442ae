import { z } from 'zod';
import { createProblem } from '#contract/errors.ts';
import {
  type ChosenAction,
  caseLeaseSeconds,
  type ModerationAction,
  moderationActionDelaySeconds,
} from '#contract/moderation.ts';
import type { App } from '#server/app.ts';
import { assertNotLastAdministrator } from '#server/features/accounts/public.ts';
import { addSeconds } from '#server/platform/clock.ts';
import type { QueueDefinition } from '#server/platform/jobs.ts';
import { runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import { applyAction, getAction } from './action-application.ts';
import {
  findActionError,
  getModeratorRole,
  isAdministrator,
  isListingApprovedByDismissal,
  isOwnAction,
  isOwnCase,
  settlesLaterReports,
} from './action-policy.ts';
import * as repository from './action-repository.ts';
import { toListingVersion } from './listing-version.ts';
import { presentAction } from './presenter.ts';
import { type WithdrawnAction, withdrawAction } from './waiting-action-repository.ts';
import { recordUndo } from './waiting-actions.ts';

/** Queue of moderators' actions. An action takes effect when it can no longer be undone. */
export const moderatorActionQueue: QueueDefinition<{ id: string }> = {
  name: 'apply-moderation-action',
  retries: 10,
  retryDelay: 2,
  payload: z.object({ id: z.uuid() }),
};

const getUserId = (moderator: repository.Moderator): string | undefined =>
  'userId' in moderator ? moderator.userId : undefined;

/**
 * Returns the version of the listing that the moderator saw. Throws listing_changed if the action would publish a
 * different version, which the moderator has not seen.
 */
const getSeenVersion = (about: repository.CaseForAction, chosen: ChosenAction): string | null => {
  const current = about.listing && toListingVersion(about.listing);
  const seen = chosen.listing_version ?? current;
  if (seen !== current && chosen.action === 'dismiss' && isListingApprovedByDismissal(about))
    throw createProblem('listing_changed');
  return seen;
};

/** Throws appeal_unread if an appeal has arrived that the moderator has not seen, because the action would decide it. */
const assertAppealsSeen = ({ actions }: repository.CaseForAction, { open_appeals: seen }: ChosenAction) => {
  const open = actions.filter((it) => it.is_appealed).length;
  if (seen !== undefined && open > seen) throw createProblem('appeal_unread');
};

/** Throws report_unread if the moderator has not seen all reports and signals, and the action does not settle them. */
const assertReportsSeen = (about: repository.CaseForAction, chosen: ChosenAction) => {
  const { report_count: reports = about.report_count, signal_count: signals = about.signal_count } = chosen;
  const isSeen = about.report_count <= reports && about.signal_count <= signals;
  if (!isSeen && !settlesLaterReports(chosen)) throw createProblem('report_unread');
};

/** Stores a chosen action and queues the job that carries it out. Returns the id of the action. */
const storeChosenAction = async (
  { clock, jobs }: App,
  tx: Transaction,
  { moderator, caseId, chosen }: { moderator: repository.Moderator; caseId: string; chosen: ChosenAction },
): Promise<string> => {
  const now = clock.now();
  const about = await repository.findCaseForAction(tx, caseId, { isLocked: true });
  if (!about) throw createProblem('case_not_found');
  const error = findActionError(about, chosen.action, moderator, now);
  if (error) throw createProblem(error);
  assertAppealsSeen(about, chosen);
  assertReportsSeen(about, chosen);
  if (chosen.action === 'suspend' && about.person_id) await assertNotLastAdministrator(tx, about.person_id);
  const delaySeconds = chosen.immediately ? 0 : moderationActionDelaySeconds;
  const takesEffectAt = addSeconds(now, delaySeconds);
  const moderatorId = getUserId(moderator);
  if (moderatorId && !about.resolved_at)
    await repository.setCaseAssignee(tx, {
      id: caseId,
      moderatorId,
      until: addSeconds(now, caseLeaseSeconds),
    });
  const actionId = await repository.insertAction(tx, {
    caseId,
    chosen,
    moderator,
    actorRole: getModeratorRole(moderator),
    listingVersion: getSeenVersion(about, chosen),
    now,
    takesEffectAt,
  });
  // Wait one second longer, because the database and this process may round the time differently.
  await jobs.enqueue(tx, moderatorActionQueue, { id: actionId }, { delaySeconds: delaySeconds + 1 });
  return actionId;
};

/** Chooses an action about a case and reserves the case for the moderator. */
export const chooseAction = async (
  app: App,
  moderator: repository.Moderator,
  caseId: string,
  chosen: ChosenAction,
): Promise<ModerationAction> => {
  const id = await runInTransaction(app.sql, (tx) =>
    storeChosenAction(app, tx, { moderator, caseId, chosen }),
  );
  if (chosen.immediately) await applyAction(app, id);
  return presentAction(await getAction(app.sql, id), moderator);
};

/** Withdraws another moderator's action on behalf of an administrator. Returns undefined when it was too late. */
const undoOfOther = (
  app: App,
  administrator: repository.Moderator,
  { id, case_id: caseId }: repository.ActionRow,
): Promise<WithdrawnAction | undefined> =>
  runInTransaction(app.sql, async (tx) => {
    const about = await repository.findCaseForAction(tx, caseId, { isLocked: true });
    if (about && isOwnCase(about, administrator)) throw createProblem('own_case');
    const undone = await withdrawAction(tx, id, app.clock.now());
    if (undone) await recordUndo(app, tx, undone);
    return undone;
  });

/**
 * Withdraws an action before it takes effect. A repeated call changes nothing. Only the moderator who chose an action
 * and administrators can withdraw it. An administrator cannot withdraw an action of somebody else in a case about
 * themselves.
 */
export const undoAction = async (
  app: App,
  moderator: repository.Moderator,
  id: string,
): Promise<ModerationAction> => {
  const { sql, clock } = app;
  const action = await getAction(sql, id);
  const isOwn = isOwnAction(action, moderator);
  if (!isOwn && !isAdministrator(moderator)) throw createProblem('action_not_found');
  if (action.undone_at) return presentAction(action, moderator);
  const undone = isOwn
    ? await withdrawAction(sql, id, clock.now())
    : await undoOfOther(app, moderator, action);
  if (!undone && !(await getAction(sql, id)).undone_at) throw createProblem('action_took_effect');
  return presentAction(await getAction(sql, id), moderator);
};
