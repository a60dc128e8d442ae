import { resendCooldownSeconds } from '#contract/accounts.ts';
import { isCampusEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { invalidateProfilePages } from '#server/pages/public.ts';
import { runInTransaction } from '#server/platform/postgres/database.ts';
import { findAccount, lockAccount } from './account-repository.ts';
import { insertAccountWithoutPassword } from './administration-repository.ts';
import { issueCode } from './codes.ts';
import { confirmOwnedAccount } from './confirm.ts';
import { findMailboxAccount } from './mailbox-repository.ts';
import { createMissingAccountProblem } from './missing-account.ts';
import { mailResetLink } from './reset-links.ts';
import { assertOtherLogInAllowed } from './sign-on-rule.ts';

// With these functions, administrators create accounts and help people who cannot log in. Administrators never see a
// password.

/** The account that an administrator's command refers to. */
interface TargetAccount {
  id: string;
  email: string;
}

/**
 * Creates an account without a password, mails its owner a code to sign in with, and returns the account id. Throws
 * account_exists when the email address or its mailbox already has an account, and campus_address_required when only
 * campus email addresses may sign up and this is not one.
 */
export const createAccount = async (app: App, email: string): Promise<string> => {
  const { campus, campusOnly } = app.config;
  if (campusOnly && !isCampusEmail(campus, email)) throw createProblem('campus_address_required');
  assertOtherLogInAllowed(app, email);
  return runInTransaction(app.sql, async (tx) => {
    if (await findMailboxAccount(tx, campus, email)) throw createProblem('account_exists');
    const userId = await insertAccountWithoutPassword(tx, { email, now: app.clock.now() });
    if (userId === undefined) throw createProblem('account_exists');
    await noteSecurityEvent(app, { event: 'account_created', userId }, tx);
    const { code, expiresAt } = await issueCode(app, tx, email, 'signup');
    await app.mail.send(tx, { kind: 'signup_code', to: email, code, expiresAt: expiresAt.toISOString() });
    return userId;
  });
};

/**
 * Confirms the email address of an account without a code. Clears the password and the name, because the person who
 * signed up may not own the address, and tells the owner by email how to log in. If the address belonged to a suspended
 * account that was deleted, the suspension no longer applies to it. Returns false when the address was already confirmed.
 * Throws account_exists when its mailbox has another confirmed account.
 */
export const confirmWithoutCode = async (app: App, account: TargetAccount): Promise<boolean> => {
  const { id: userId } = account;
  const now = app.clock.now();
  const isConfirmed = await runInTransaction(app.sql, async (tx) => {
    if (!(await lockAccount(tx, userId)) || (await findAccount(tx, userId))?.confirmed_at) return false;
    await confirmOwnedAccount(app, tx, account, { by: 'administrator', now });
    await noteSecurityEvent(app, { event: 'account_confirmed', userId }, tx);
    const facts = { at: now.toISOString() };
    await notify(app, tx, 'account_confirmed', [{ subjectId: null, facts, userIds: [userId] }]);
    return true;
  });
  if (isConfirmed) await invalidateProfilePages(app, userId);
  return isConfirmed;
};

/**
 * Mails a link with which the owner sets a new password. Throws rate_limited within 30 s of the previous link,
 * campus_address_required when the account does not log in with a campus email address, and account_not_found when it has
 * been deleted in the meantime.
 */
export const sendResetLink = async (app: App, { id: userId, email }: TargetAccount): Promise<void> => {
  if (!isCampusEmail(app.config.campus, email)) throw createProblem('campus_address_required');
  assertOtherLogInAllowed(app, email);
  await runInTransaction(app.sql, async (tx) => {
    await noteSecurityEvent(app, { event: 'reset_link_sent', userId }, tx);
    if (!(await mailResetLink(app, tx, email))) {
      throw (await findAccount(tx, userId))
        ? createProblem('rate_limited', { retryAfter: resendCooldownSeconds })
        : createMissingAccountProblem();
    }
  });
};
