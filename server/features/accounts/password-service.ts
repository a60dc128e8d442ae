import { type Campus, isCampusEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import { hashPassword, verifyPassword } from '#server/platform/passwords.ts';
import type { Queryable, Sql } from '#server/platform/postgres/database.ts';
import { hashToken } from '#server/platform/secrets.ts';
import { type Account, findAccount, setPassword } from './account-repository.ts';
import type { CampusAddressTransfer } from './campus-address-transfer.ts';
import { type ConfirmationDeps, confirmOwnedAccount } from './confirm.ts';
import { consumeResetToken, isValidResetToken } from './credential-repository.ts';
import type { DeviceService } from './devices.ts';
import { assertNotCommonPassword } from './leaked-passwords.ts';
import type { LoginAttempt, LoginThrottle } from './login-throttle.ts';
import { findLoginAddress } from './mailbox-repository.ts';
import type { ReauthenticationService } from './reauthentication.ts';
import { createResetLinkService } from './reset-links.ts';
import { findSession } from './session-repository.ts';
import type { SessionService } from './sessions.ts';

interface PasswordsDeps {
  audit: Pick<AuditTrail, 'note'>;
  sql: Sql;
  clock: Clock;
  mailer: Pick<Mailer, 'sendResetLink'>;
  sessions: SessionService;
  reauthentication: Pick<ReauthenticationService, 'isRecent'>;
  throttle: LoginThrottle;
  devices: DeviceService;
  transfer: CampusAddressTransfer;
  checkSuspension: ConfirmationDeps['checkSuspension'];
  invalidation: Pick<PageInvalidation, 'sellerChanged'>;
  campus: Campus;
  notify: Notifier;
}

/** Creates the service that sets new passwords: with a mailed link, or for a signed-in person. */
export const createPasswordService = (deps: PasswordsDeps) => {
  const { sql, clock, mailer, sessions, reauthentication, throttle, devices, invalidation } = deps;
  const { campus, audit, notify } = deps;
  const resetLinks = createResetLinkService({ clock, mailer });

  /** Notifies a person that their password was changed. */
  const notifyOfChange = (tx: Queryable, { id, email }: Pick<Account, 'id' | 'email'>): Promise<void> =>
    notify(tx, 'password_changed', [
      {
        subjectId: null,
        facts: { at: clock.now().toISOString(), has_reset_links: isCampusEmail(campus, email) },
        userIds: [id],
      },
    ]);

  return {
    /** Mails a reset link. For an email address without an account, does the same work but sends nothing. */
    requestReset: async (entered: LoginAttempt): Promise<void> => {
      if (!isCampusEmail(campus, entered.email)) throw createProblem('campus_address_required');
      const email = await findLoginAddress(sql, campus, entered.email);
      const attempt = { ...entered, email };
      await throttle.beginRequest(attempt);
      await sql.begin((tx) => resetLinks.send(tx, email));
    },

    /** Sets a new password with the token of a reset link and ends all sessions of the account. */
    resetPassword: async (
      token: string,
      password: string,
      { address, device }: Omit<LoginAttempt, 'email'>,
    ): Promise<void> => {
      assertNotCommonPassword(password);
      if (!(await isValidResetToken(sql, hashToken(token), clock.now()))) {
        await throttle.countWrongLink(address);
        throw createProblem('reset_link_invalid');
      }
      const passwordHash = await hashPassword(password);
      const now = clock.now();
      const { userId, previousHolder, publishSessionEnd } = await sql.begin(async (tx) => {
        const owner = await consumeResetToken(tx, hashToken(token), now);
        if (!owner) throw createProblem('reset_link_invalid');
        // Like a code, the link proves access to the mailbox, so it also confirms the email address.
        const account = await findAccount(tx, owner);
        const proof = { device: device.hash, now };
        const holder = account && (await confirmOwnedAccount(tx, deps, account, proof));
        await setPassword(tx, { userId: owner, passwordHash, now });
        await audit.note({ event: 'password_reset', userId: owner }, tx);
        if (account) await notifyOfChange(tx, account);
        const publish = await sessions.endAllWithin(tx, owner);
        return { userId: owner, previousHolder: holder, publishSessionEnd: publish };
      });
      await publishSessionEnd();
      if (previousHolder !== undefined) await invalidation.sellerChanged(previousHolder);
      await devices.forgetOthers(device, userId);
      await devices.remember(device, userId, true);
      const account = await findAccount(sql, userId);
      if (account) await throttle.startOver(account.email);
    },

    /**
     * Sets the password of a signed-in person and ends the other sessions. Requires the current password unless the
     * person has authenticated within the last few minutes. Otherwise, somebody with a stolen session could set a
     * password and then authenticate with it.
     */
    changePassword: async (
      { userId, sessionId, device }: { userId: string; sessionId: string; device: LoginAttempt['device'] },
      change: { password: string; currentPassword?: string | undefined },
    ): Promise<void> => {
      assertNotCommonPassword(change.password);
      const account = await findAccount(sql, userId);
      if (!account) throw createProblem('not_authenticated');
      const isRecent = await reauthentication.isRecent({ sessionId });
      if (!isRecent) await throttle.beginWithin(userId);
      const isPasswordProved =
        change.currentPassword !== undefined &&
        (await verifyPassword(account.password_hash, change.currentPassword));
      if (!isRecent && !isPasswordProved) throw createProblem('reauthentication_needed');
      const passwordHash = await hashPassword(change.password);
      const publishSessionEnd = await sql.begin(async (tx) => {
        await setPassword(tx, { userId, passwordHash, now: clock.now() });
        // A reset may have ended this session while the password was hashed. The account is locked from here on.
        if (!(await findSession(tx, sessionId))) throw createProblem('not_authenticated');
        await audit.note({ event: 'password_changed', userId }, tx);
        await notifyOfChange(tx, account);
        return sessions.endAllWithin(tx, userId, sessionId);
      });
      await publishSessionEnd();
      await devices.forgetOthers(device, userId);
    },
  };
};
