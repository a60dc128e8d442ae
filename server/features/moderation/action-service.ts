import { createProblem, errorCatalog, Problem } from '#contract/errors.ts';
import {
  type ChosenAction,
  caseLeaseSeconds,
  type ModerationAction,
  moderationActionDelaySeconds,
} from '#contract/moderation.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import { addSeconds, type Clock } from '#server/platform/clock.ts';
import type { JobQueue } from '#server/platform/jobs.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import { formatFailure, type LostAuthorityFinder } from './action-failures.ts';
import {
  findActionError,
  getAppealCutoff,
  getModeratorRole,
  getReportCutoff,
  isAdministrator,
  isListingApprovedByDismissal,
  isOwnAction,
  isOwnCase,
  omitLaterAppeals,
  settlesLaterReports,
} from './action-policy.ts';
import { moderatorActionQueue } from './action-queue.ts';
import * as repository from './action-repository.ts';
import { auditEventByAction, type EffectApplier } from './effects.ts';
import { toListingVersion } from './listing-version.ts';
import type { OutcomeNotifier } from './outcome-notices.ts';
import { presentAction } from './presenter.ts';
import * as waiting from './waiting-action-repository.ts';
import type { WaitingActions } from './waiting-actions.ts';

export interface ActionDeps {
  sql: Sql;
  clock: Clock;
  jobs: Pick<JobQueue, 'enqueue'>;
  audit: Pick<AuditTrail, 'note'>;
  /** Throws last_administrator when this account is the only one that can grant roles. */
  assertNotLastAdministrator(tx: Queryable, userId: string): Promise<void>;
  findLostAuthority: LostAuthorityFinder;
  waitingActions: Pick<WaitingActions, 'withdraw' | 'recordUndo'>;
  applyEffect: EffectApplier;
  tellOutcome: OutcomeNotifier;
}

const getUserId = (moderator: repository.Moderator): string | undefined =>
  'userId' in moderator ? moderator.userId : undefined;

const isTemporary = ({ code }: Problem): boolean =>
  errorCatalog[code].status >= 500 || code === 'rate_limited';

/** Creates the service with which moderators decide cases. */
export const createActionService = ({
  sql,
  clock,
  jobs,
  audit,
  assertNotLastAdministrator,
  findLostAuthority,
  waitingActions,
  applyEffect,
  tellOutcome,
}: ActionDeps) => {
  const getAction = async (tx: Queryable, id: string): Promise<repository.ActionRow> => {
    const action = await repository.findAction(tx, id);
    if (!action) throw createProblem('action_not_found');
    return action;
  };

  const markApplied = (tx: Queryable, { listing }: repository.CaseForAction, id: string, now: Date) =>
    repository.markActionApplied(tx, id, { now, listingStatus: listing?.status ?? null });

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

  const carryOut = async (id: string): Promise<void> => {
    const publish = await runInTransaction(sql, async (tx) => {
      const now = clock.now();
      const found = await repository.findAction(tx, id);
      const about = found && (await repository.findCaseForAction(tx, found.case_id, { isLocked: true }));
      if (!about) return undefined;
      const lostAuthority = await findLostAuthority(tx, about, await getAction(tx, id));
      if (lostAuthority !== undefined) {
        await waitingActions.withdraw(tx, id, lostAuthority);
        return undefined;
      }
      if (!(await markApplied(tx, about, id, now))) return undefined;
      const action = { ...(await getAction(tx, id)), applied_at: now };
      const [appealCutoff, reportCutoff] = [getAppealCutoff(action), getReportCutoff(action)];
      const { announce, listingState } = await applyEffect(tx, omitLaterAppeals(about, appealCutoff), action);
      await repository.resolveCase(tx, about.id, { appealCutoff, reportCutoff, now });
      await tellOutcome(tx, about, action, { now, appealCutoff, reportCutoff, listingState });
      await audit.note(
        {
          event: auditEventByAction[action.action],
          userId: about.person_id ?? undefined,
          detail: `case ${about.id}`,
          reason: action.reason,
          actor: action.actor_id ?? action.actor_name ?? undefined,
        },
        tx,
      );
      return announce;
    });
    await publish?.();
  };

  /** Withdraws another moderator's action on behalf of an administrator. Returns undefined when it was too late. */
  const undoOfOther = (
    administrator: repository.Moderator,
    { id, case_id: caseId }: repository.ActionRow,
  ): Promise<waiting.WithdrawnAction | undefined> =>
    runInTransaction(sql, async (tx) => {
      const about = await repository.findCaseForAction(tx, caseId, { isLocked: true });
      if (about && isOwnCase(about, administrator)) throw createProblem('own_case');
      const undone = await waiting.withdrawAction(tx, id, clock.now());
      if (undone) await waitingActions.recordUndo(tx, undone);
      return undone;
    });

  /**
   * Carries out an action that is due. Does nothing when it was undone, is not due yet, or has taken effect. Withdraws
   * an action that its moderator may not take any more, or that has become impossible since it was chosen, such as
   * suspending the person who is the last administrator now.
   */
  const apply = async (id: string): Promise<void> => {
    try {
      await carryOut(id);
    } catch (error) {
      if (!(error instanceof Problem) || isTemporary(error)) throw error;
      await waiting.withdrawFailedAction(sql, id, { failure: formatFailure(error), now: clock.now() });
    }
  };

  return {
    /** Chooses an action about a case and reserves the case for the moderator. */
    choose: async (
      moderator: repository.Moderator,
      caseId: string,
      chosen: ChosenAction,
    ): Promise<ModerationAction> => {
      const id = await runInTransaction(sql, async (tx) => {
        const now = clock.now();
        const about = await repository.findCaseForAction(tx, caseId, { isLocked: true });
        if (!about) throw createProblem('case_not_found');
        const error = findActionError(about, chosen.action, moderator, now);
        if (error) throw createProblem(error);
        assertAppealsSeen(about, chosen);
        assertReportsSeen(about, chosen);
        if (chosen.action === 'suspend' && about.person_id)
          await assertNotLastAdministrator(tx, about.person_id);
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
      });
      if (chosen.immediately) await apply(id);
      return presentAction(await getAction(sql, id), moderator);
    },

    /**
     * Withdraws an action before it takes effect. A repeated call changes nothing. Only the moderator who chose an
     * action and administrators can withdraw it. An administrator cannot withdraw an action of somebody else in a case
     * about themselves.
     */
    undo: async (moderator: repository.Moderator, id: string): Promise<ModerationAction> => {
      const action = await getAction(sql, id);
      const isOwn = isOwnAction(action, moderator);
      if (!isOwn && !isAdministrator(moderator)) throw createProblem('action_not_found');
      if (action.undone_at) return presentAction(action, moderator);
      const undone = isOwn
        ? await waiting.withdrawAction(sql, id, clock.now())
        : await undoOfOther(moderator, action);
      if (!undone && !(await getAction(sql, id)).undone_at) throw createProblem('action_took_effect');
      return presentAction(await getAction(sql, id), moderator);
    },

    apply,

    /**
     * Carries out the due actions whose jobs were lost or ran too early. Tries all of them, then throws the errors of
     * those that failed.
     */
    applyDue: async (): Promise<void> => {
      const failures: unknown[] = [];
      for (const id of await repository.listDueActionIds(sql, clock.now()))
        await apply(id).catch((error: unknown) => failures.push(error));
      if (failures.length > 0) throw new AggregateError(failures, 'Some actions could not take effect');
    },
  };
};

export type ActionService = ReturnType<typeof createActionService>;
