import { type Campus, isCampusAddress } from '#contract/campus.ts';
import { problem } from '#contract/errors.ts';
import type { Audit } from '#server/audit/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import { hashPassword, passwordMatches } from '#server/platform/passwords.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { hashToken } from '#server/platform/secrets.ts';
import { findAccount, setPassword } from './account-repository.ts';
import { confirmOwnedAccount } from './confirm.ts';
import { consumeResetToken, isValidResetToken } from './credential-repository.ts';
import type { Devices } from './devices.ts';
import { refuseCommonPassword } from './leaked-passwords.ts';
import type { Attempt, LoginThrottle } from './login-throttle.ts';
import { createResetLinks } from './reset-links.ts';
import type { Sessions } from './sessions.ts';

/** Maximum age, in seconds, of a session in which a person may set a new password without entering the current one. */
const maxFreshSessionSeconds = 24 * 3600;

interface PasswordsDeps {
  audit: Pick<Audit, 'note'>;
  sql: Sql;
  clock: Clock;
  mailer: Pick<Mailer, 'sendResetLink'>;
  sessions: Sessions;
  throttle: LoginThrottle;
  devices: Devices;
  campus: Campus;
}

/** Creates the service that sets new passwords: with a mailed link, or for a signed-in person. */
export const createPasswordService = (deps: PasswordsDeps) => {
  const { sql, clock, mailer, sessions, throttle, devices, campus, audit } = deps;
  const resetLinks = createResetLinks({ clock, mailer });

  return {
    /** Mails a reset link. For an email address without an account, does the same work but sends nothing. */
    requestReset: async (attempt: Attempt): Promise<void> => {
      const { email } = attempt;
      if (!isCampusAddress(campus, email)) throw problem('campus_address_required');
      await throttle.beginRequest(attempt);
      await sql.begin((tx) => resetLinks.send(tx, email));
    },

    /** Sets a new password with the token of a reset link and ends all sessions of the account. */
    resetPassword: async (
      token: string,
      password: string,
      { address, device }: Omit<Attempt, 'email'>,
    ): Promise<void> => {
      refuseCommonPassword(password);
      if (!(await isValidResetToken(sql, hashToken(token), clock.now()))) {
        await throttle.countWrongLink(address);
        throw problem('reset_link_invalid');
      }
      const passwordHash = await hashPassword(password);
      const now = clock.now();
      const userId = await sql.begin(async (tx) => {
        const owner = await consumeResetToken(tx, hashToken(token), now);
        if (!owner) throw problem('reset_link_invalid');
        // Like a code, the link proves access to the mailbox, so it also confirms the email address.
        const account = await findAccount(tx, owner);
        if (account) await confirmOwnedAccount(tx, campus, account, { device: device.hash, now });
        await setPassword(tx, { userId: owner, passwordHash, now });
        await audit.note({ event: 'password_reset', userId: owner }, tx);
        return owner;
      });
      await sessions.endAll(userId);
      await devices.forgetOthers(device, userId);
      await devices.remember(device, userId);
      const account = await findAccount(sql, userId);
      if (account) await throttle.startOver(account.email);
    },

    /** Sets the password of a signed-in person and ends the other sessions. */
    changePassword: async (
      { userId, sessionId, device }: { userId: string; sessionId: string; device: Attempt['device'] },
      change: { password: string; currentPassword?: string | undefined },
    ): Promise<void> => {
      refuseCommonPassword(change.password);
      const account = await findAccount(sql, userId);
      const beganAt = await sessions.beganAt(sessionId);
      if (!account || !beganAt) throw problem('not_authenticated');
      const isFresh = secondsAfter(beganAt, maxFreshSessionSeconds) > clock.now();
      if (!isFresh) await throttle.beginWithin(userId);
      const isPasswordProved =
        change.currentPassword !== undefined &&
        (await passwordMatches(account.password_hash, change.currentPassword));
      if (!isFresh && !isPasswordProved) throw problem('reauthentication_needed');
      await setPassword(sql, { userId, passwordHash: await hashPassword(change.password), now: clock.now() });
      await audit.note({ event: 'password_changed', userId });
      await sessions.endAll(userId, sessionId);
      await devices.forgetOthers(device, userId);
    },
  };
};
