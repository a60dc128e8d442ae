import { isCampusEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { getDisplayNameFromEmail } from '#contract/names.ts';
import type { App } from '#server/app.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import { type Account, confirmAccount } from './account-repository.ts';
import { transferCampusAddress } from './campus-address-transfer.ts';
import { findMailboxAccount, lockMailbox } from './mailbox-repository.ts';
import { confirmMembership, recordNonMember } from './memberships.ts';
import { assertAddressNotSuspended, forgetSuspendedAddress } from './suspended-addresses.ts';

interface ConfirmationProof {
  /**
   * The person who confirms the address. If it belonged to a suspended account that was deleted, an administrator allows its owner to
   * return; the owner's own proof is refused.
   */
  by: 'owner' | 'administrator';
  /** Hash of the id of the device that confirms the account. */
  device?: Buffer | undefined;
  /** The stored password hash if the caller has entered the matching password, and undefined otherwise. */
  provedHash?: string | undefined;
  /** False when the university states that the owner of the campus address is no member; the account gets no badge then. */
  isMember?: boolean | undefined;
  now: Date;
}

/**
 * Confirms an account whose owner has proved access to the mailbox, or which an administrator confirms. A person without
 * a name is shown under the local part of the email address; if that is not allowed as a name (for example, because it
 * looks like a staff name), the name "User" is stored instead. If the email address had been added to another account as a
 * campus address, that account loses the address. Throws account_suspended when the address belonged to a suspended
 * account that was deleted, unless an administrator confirms it, and account_exists when another confirmed account logs in
 * with an address of the same mailbox.
 */
export const confirmOwnedAccount = async (
  app: App,
  tx: Transaction,
  { id: userId, email }: Pick<Account, 'id' | 'email'>,
  { by, device, provedHash, isMember = true, now }: ConfirmationProof,
): Promise<void> => {
  const { campus } = app.config;
  await lockMailbox(tx, campus, email);
  if (by === 'administrator') await forgetSuspendedAddress(app, tx, email);
  else await assertAddressNotSuspended(app, tx, email);
  const owner = await findMailboxAccount(tx, campus, email);
  if (owner && owner.id !== userId) throw createProblem('account_exists');
  const visibleName = getDisplayNameFromEmail(email, campus);
  const campusAddress = isCampusEmail(campus, email);
  if (campusAddress) await transferCampusAddress(app, tx, email, { userId, logsInWithAddress: true });
  await confirmAccount(tx, {
    userId,
    campusAddress: campusAddress && isMember,
    fallbackName: email.startsWith(`${visibleName}@`) ? null : visibleName,
    device,
    provedHash,
    now,
  });
  if (!campusAddress) return;
  if (isMember) await confirmMembership(app, tx, userId, by === 'administrator' ? by : 'address');
  else await recordNonMember(app, tx, userId);
};
