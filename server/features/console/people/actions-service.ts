import type { ParameterlessPersonAction, PersonAction } from '#contract/console-people.ts';
import { createFieldProblem, createProblem, Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import type { AccountDeletionService } from '#server/features/account-deletion/public.ts';
import {
  type AccountAdministrationService,
  type AccountModeration,
  assertRecentProof,
  changeConsoleRole,
  createMissingAccountProblem,
  removeLostSecondFactor,
} from '#server/features/accounts/public.ts';
import type { PersonDecisions } from '#server/features/moderation/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import type { Session } from '#server/platform/process/request-context.ts';

interface PersonActionDeps {
  app: App;
  accountModeration: AccountModeration;
  personDecisions: PersonDecisions;
  accountAdministration: AccountAdministrationService;
  deletion: Pick<AccountDeletionService, 'deleteAccount'>;
  forms: Pick<FormInbox, 'markDoneIn'>;
}

/**
 * The actions that administrators cannot take on their own account. Suspending themselves or changing their role
 * could lock them out. Removing their own second factor requires a recent log-in in Settings, and this call must not
 * bypass that requirement for somebody who finds the console open.
 */
const actionsOnOthers: readonly PersonAction['action'][] = ['suspend', 'set_role', 'remove_second_factor'];

/**
 * The actions that need a recent log-in, password or code, because somebody who finds the console open could take
 * over the site with them. So does deleting an account.
 */
const actionsWithProof: readonly PersonAction['action'][] = ['set_role', 'remove_second_factor'];

/** Creates the service with which the console acts on accounts. It uses the same services as the commands. */
export const createPersonActions = ({
  app,
  accountModeration,
  personDecisions,
  accountAdministration,
  deletion,
  forms,
}: PersonActionDeps) => {
  const simpleActions: Record<ParameterlessPersonAction, (id: string) => Promise<unknown>> = {
    confirm: async (id) => accountAdministration.confirm(await accountModeration.get(id)),
    verify: (id) => accountModeration.setVerified(id, true),
    remove_badge: (id) => accountModeration.setVerified(id, false),
    end_sessions: accountModeration.endSessions,
    lift: (id) => accountModeration.lift(id, personDecisions.recordLift),
    send_reset_link: async (id) => accountAdministration.sendReset(await accountModeration.get(id)),
    remove_second_factor: (id) => removeLostSecondFactor(app, id),
  };
  /** Throws own_account when the account is the administrator's own. */
  const assertOther = (id: string, actorId: string): void => {
    if (id === actorId) throw createProblem('own_account');
  };

  return {
    /**
     * Takes an action on an account. Throws account_not_found when there is no such account, own_account when
     * administrators may not take this action on their own account, reauthentication_needed when the action needs a
     * recent log-in, and the errors of the action.
     */
    act: async (id: string, form: PersonAction, session: Session): Promise<void> => {
      const { userId: actorId } = session;
      await accountModeration.get(id);
      if (actionsOnOthers.includes(form.action)) assertOther(id, actorId);
      if (actionsWithProof.includes(form.action)) await assertRecentProof(app, session);
      if (form.action === 'suspend') {
        const { days, reason } = form;
        await accountModeration.suspend(id, {
          until: days === null ? null : addSeconds(app.clock.now(), days * dayInSeconds),
          reason,
          record: (tx, suspension) =>
            personDecisions.recordSuspension(tx, {
              ...suspension,
              days,
              reason,
              moderator: { userId: actorId, role: 'administrator' },
            }),
        });
      } else if (form.action === 'set_role') {
        await changeConsoleRole(app, id, form.role === 'user' ? null : form.role);
      } else await simpleActions[form.action](id);
    },

    /**
     * Creates an account, and returns its id. Throws account_exists when the email address already has an account, and
     * campus_address_required when only campus email addresses may sign up and this is not one.
     */
    create: accountAdministration.create,

    /**
     * Deletes an account like Delete Account does, notifies its owner by email, and marks the deletion request as
     * done, if there is one. Throws account_not_found when there is no such account, own_account for the
     * administrator's own account, validation_failed when `email` is not the account's address,
     * reauthentication_needed without a recent log-in, rental_unfinished while a rental has not been returned, and
     * last_administrator when no other account can grant roles.
     */
    delete: async (
      id: string,
      { email, form_id }: { email: string; form_id?: string | undefined },
      session: Session,
    ): Promise<void> => {
      const { userId: actorId } = session;
      const account = await accountModeration.get(id);
      assertOther(id, actorId);
      if (account.email !== email)
        throw createFieldProblem({ email: 'This is not the address of the account' });
      await assertRecentProof(app, session);
      try {
        await deletion.deleteAccount(id, {
          beforeCommit: async (tx) => {
            await app.mail.sendAccountDeleted(tx, { to: account.email });
            if (form_id !== undefined) await forms.markDoneIn(tx, form_id, actorId);
          },
        });
      } catch (error) {
        // The account was deleted by another call in the meantime. The caller itself is still authenticated, so
        // not_authenticated would be misleading.
        if (error instanceof Problem && error.code === 'not_authenticated')
          throw createMissingAccountProblem();
        throw error;
      }
    },
  };
};

export type PersonActions = ReturnType<typeof createPersonActions>;
