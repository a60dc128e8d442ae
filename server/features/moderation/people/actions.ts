import type { ParameterlessPersonAction, PersonAction } from '#contract/console-people.ts';
import { createFieldProblem, createProblem, Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { deleteAccount } from '#server/features/account-deletion/public.ts';
import {
  assertRecentProof,
  changeConsoleRole,
  confirmWithoutCode,
  createMissingAccountProblem,
  endAccountSessions,
  getAccountSummary,
  removeLostSecondFactor,
  sendResetLink,
  setAccountVerified,
} from '#server/features/accounts/public.ts';
import { markFormDoneWithin } from '#server/features/forms/public.ts';
import type { Session } from '#server/platform/process/request-context.ts';
import { liftSuspensionOf, suspendPerson } from '../person-decisions.ts';

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

const parameterlessActions: Record<ParameterlessPersonAction, (app: App, id: string) => Promise<unknown>> = {
  confirm: async (app, id) => confirmWithoutCode(app, await getAccountSummary(app, id)),
  verify: (app, id) => setAccountVerified(app, id, true),
  remove_badge: (app, id) => setAccountVerified(app, id, false),
  end_sessions: (app, id) => endAccountSessions(app, id),
  lift: (app, id) => liftSuspensionOf(app, id),
  send_reset_link: async (app, id) => sendResetLink(app, await getAccountSummary(app, id)),
  remove_second_factor: (app, id) => removeLostSecondFactor(app, id),
};

/** Throws own_account when the account is the administrator's own. */
const assertOther = (id: string, actorId: string): void => {
  if (id === actorId) throw createProblem('own_account');
};

/**
 * Takes an action on an account. Throws account_not_found when there is no such account, own_account when
 * administrators may not take this action on their own account, reauthentication_needed when the action needs a
 * recent log-in, and the errors of the action.
 */
export const actOnPerson = async (
  app: App,
  id: string,
  form: PersonAction,
  session: Session,
): Promise<void> => {
  await getAccountSummary(app, id);
  if (actionsOnOthers.includes(form.action)) assertOther(id, session.userId);
  if (actionsWithProof.includes(form.action)) await assertRecentProof(app, session);
  if (form.action === 'suspend')
    await suspendPerson(app, id, { ...form, moderator: { userId: session.userId, role: 'administrator' } });
  else if (form.action === 'set_role')
    await changeConsoleRole(app, id, form.role === 'user' ? null : form.role);
  else await parameterlessActions[form.action](app, id);
};

/**
 * Deletes an account like Delete Account does, notifies its owner by email, and marks the deletion request as done, if
 * there is one. Throws account_not_found when there is no such account, own_account for the administrator's own account,
 * validation_failed when `email` is not the account's address, reauthentication_needed without a recent log-in,
 * rental_unfinished while a rental has not been returned, and last_administrator when no other account can grant roles.
 */
export const deletePerson = async (
  app: App,
  id: string,
  { email, form_id }: { email: string; form_id?: string | undefined },
  session: Session,
): Promise<void> => {
  const { userId: actorId } = session;
  const account = await getAccountSummary(app, id);
  assertOther(id, actorId);
  if (account.email !== email) throw createFieldProblem({ email: 'This is not the address of the account' });
  await assertRecentProof(app, session);
  try {
    await deleteAccount(app, id, {
      beforeCommit: async (tx) => {
        await app.mail.send(tx, { kind: 'account_deleted', to: account.email });
        if (form_id !== undefined) await markFormDoneWithin(app, tx, form_id, actorId);
      },
    });
  } catch (error) {
    // The account was deleted by another call in the meantime. The caller itself is still authenticated, so
    // not_authenticated would be misleading.
    if (error instanceof Problem && error.code === 'not_authenticated') throw createMissingAccountProblem();
    throw error;
  }
};
