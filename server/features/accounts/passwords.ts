import { isCampusEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { hashPassword, verifyPassword } from '#server/platform/passwords.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import { hashToken } from '#server/platform/secrets.ts';
import { type Account, findAccount, setPassword } from './account-repository.ts';
import { confirmOwnedAccount } from './confirm.ts';
import { hasConsoleRole } from './console-access-repository.ts';
import { consumeResetToken, isValidResetToken } from './credential-repository.ts';
import { forgetOtherDevices, rememberDevice } from './devices.ts';
import { assertNotCommonPassword } from './leaked-passwords.ts';
import {
  countCodeRequest,
  countPasswordEntry,
  countWrongResetLink,
  forgiveWrongPasswords,
  type LoginAttempt,
} from './login-throttle.ts';
import { findLoginAddress } from './mailbox-repository.ts';
import { removePasskeysWithin } from './passkey-removal.ts';
import { hasRecentProof } from './reauthentication.ts';
import { mailResetLink } from './reset-links.ts';
import { findSession } from './session-repository.ts';
import { endAllSessionsWithin } from './sessions.ts';
import { assertOtherLogInAllowed } from './sign-on-rule.ts';

/** Notifies a person that their password was changed. */
const notifyOfChange = (
  app: App,
  tx: Queryable,
  { id, email }: Pick<Account, 'id' | 'email'>,
): Promise<void> =>
  notify(app, tx, 'password_changed', [
    {
      subjectId: null,
      facts: {
        at: app.clock.now().toISOString(),
        has_reset_links: isCampusEmail(app.config.campus, email),
      },
      userIds: [id],
    },
  ]);

/** Mails a reset link. For an email address without an account, does the same work but sends nothing. */
export const requestResetLink = async (app: App, entered: LoginAttempt): Promise<void> => {
  const { campus } = app.config;
  if (!isCampusEmail(campus, entered.email)) throw createProblem('campus_address_required');
  assertOtherLogInAllowed(app, entered.email);
  const email = await findLoginAddress(app.sql, campus, entered.email);
  await countCodeRequest(app, { ...entered, email });
  await runInTransaction(app.sql, (tx) => mailResetLink(app, tx, email));
};

/**
 * Sets a new password with the token of a reset link and ends all sessions of the account. With `removePasskeys`, also removes
 * its passkeys, unless it has a role in the console.
 */
export const resetPassword = async (
  app: App,
  token: string,
  { password, removePasskeys = false }: { password: string; removePasskeys?: boolean | undefined },
  { address, device }: Omit<LoginAttempt, 'email'>,
): Promise<void> => {
  const { sql, clock } = app;
  assertNotCommonPassword(password);
  if (!(await isValidResetToken(sql, hashToken(token), clock.now()))) {
    await countWrongResetLink(app, address);
    throw createProblem('reset_link_invalid');
  }
  const passwordHash = await hashPassword(password);
  const now = clock.now();
  const userId = await runInTransaction(sql, async (tx) => {
    const owner = await consumeResetToken(tx, hashToken(token), now);
    if (!owner) throw createProblem('reset_link_invalid');
    // Like a code, the link proves access to the mailbox, so it also confirms the email address.
    const account = await findAccount(tx, owner);
    if (account) assertOtherLogInAllowed(app, account.email);
    if (account) await confirmOwnedAccount(app, tx, account, { by: 'owner', device: device.hash, now });
    await setPassword(tx, { userId: owner, passwordHash, now });
    await noteSecurityEvent(app, { event: 'password_reset', userId: owner }, tx);
    if (account) await notifyOfChange(app, tx, account);
    // The link proves access to the mailbox only, which must not lead to the console.
    if (removePasskeys && !(await hasConsoleRole(tx, owner)))
      await removePasskeysWithin(app, tx, { userId: owner });
    await endAllSessionsWithin(app, tx, owner);
    return owner;
  });
  await forgetOtherDevices(app, device, userId);
  await rememberDevice(app, device, userId, true);
  const account = await findAccount(sql, userId);
  if (account) await forgiveWrongPasswords(app, account.email);
};

/**
 * Sets the password of a signed-in person and ends the other sessions. Requires the current password unless the person
 * has authenticated within the last few minutes. Otherwise, somebody with a stolen session could set a password and then
 * authenticate with it.
 */
export const changePassword = async (
  app: App,
  { userId, sessionId, device }: { userId: string; sessionId: string; device: LoginAttempt['device'] },
  change: { password: string; currentPassword?: string | undefined },
): Promise<void> => {
  assertNotCommonPassword(change.password);
  const account = await findAccount(app.sql, userId);
  if (!account) throw createProblem('not_authenticated');
  assertOtherLogInAllowed(app, account.email);
  const isRecent = await hasRecentProof(app, { sessionId });
  if (!isRecent) await countPasswordEntry(app, userId);
  const isPasswordProved =
    change.currentPassword !== undefined &&
    (await verifyPassword(account.password_hash, change.currentPassword));
  if (!isRecent && !isPasswordProved) throw createProblem('reauthentication_needed');
  const passwordHash = await hashPassword(change.password);
  await runInTransaction(app.sql, async (tx) => {
    await setPassword(tx, { userId, passwordHash, now: app.clock.now() });
    // A reset may have ended this session while the password was hashed. The account is locked from here on.
    if (!(await findSession(tx, sessionId))) throw createProblem('not_authenticated');
    await noteSecurityEvent(app, { event: 'password_changed', userId }, tx);
    await notifyOfChange(app, tx, account);
    await endAllSessionsWithin(app, tx, userId, sessionId);
  });
  await forgetOtherDevices(app, device, userId);
};
