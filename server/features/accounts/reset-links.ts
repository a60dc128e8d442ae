import { resendCooldownSeconds, resetLinkLifetimeSeconds } from '#contract/accounts.ts';
import type { App } from '#server/app.ts';
import { addSeconds } from '#server/platform/clock.ts';
import { isForeignKeyViolation, type Transaction } from '#server/platform/postgres/database.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import { replaceResetToken } from './credential-repository.ts';

/** Returns false for the error that occurs when an account is deleted while its link is stored. Rethrows others. */
const ignoreDeletedAccount = (error: unknown): false => {
  if (!isForeignKeyViolation(error, /^reset_tokens_user_id_fkey$/)) throw error;
  return false;
};

/**
 * Creates and mails a link with which the owner of an account sets a new password, as part of a transaction; the account's
 * previous link stops working. Returns whether a link was created. For an email address without an account, and within
 * 30 s of the previous link, takes the same steps but sends nothing. An account that is being deleted counts as deleted.
 */
export const mailResetLink = async (
  { clock, mail: mailer }: App,
  tx: Transaction,
  email: string,
): Promise<boolean> => {
  const token = generateToken();
  const expiresAt = addSeconds(clock.now(), resetLinkLifetimeSeconds);
  const link = {
    email,
    hash: hashToken(token),
    expiresAt,
    cooledExpiry: addSeconds(expiresAt, -resendCooldownSeconds),
  };
  const isCreated = await tx.savepoint((step) => replaceResetToken(step, link)).catch(ignoreDeletedAccount);
  const mail = { to: email, token, expiresAt: expiresAt.toISOString() };
  await mailer.send(tx, { kind: 'reset_link', ...mail, ...(isCreated ? {} : { decoy: true }) });
  return isCreated;
};
