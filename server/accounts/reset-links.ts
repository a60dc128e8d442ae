import { resendCooldownSeconds, resetLifetimeSeconds } from '#contract/accounts.ts';
import type { Mailer } from '#server/mail/public.ts';
import { type Clock, secondsAfter } from '#server/platform/clock.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { hashToken, randomToken } from '#server/platform/secrets.ts';
import { replaceResetToken } from './credential-repository.ts';

/** Links that set a new password, mailed to the address of an account. */
export const createResetLinks = ({
  clock,
  mailer,
}: {
  clock: Clock;
  mailer: Pick<Mailer, 'sendResetLink'>;
}) => ({
  /**
   * Mails a link as part of a transaction; the account's previous link stops working. Takes the same steps for an address
   * without an account and within 30 s of the previous link, and returns whether a link was created.
   */
  send: async (tx: Queryable, email: string): Promise<boolean> => {
    const token = randomToken();
    const expiresAt = secondsAfter(clock.now(), resetLifetimeSeconds);
    const made = await replaceResetToken(tx, {
      email,
      hash: hashToken(token),
      expiresAt,
      cooledExpiry: secondsAfter(expiresAt, -resendCooldownSeconds),
    });
    const mail = { to: email, token, expiresAt: expiresAt.toISOString() };
    await mailer.sendResetLink(tx, made ? mail : { ...mail, decoy: true });
    return made;
  },
});
