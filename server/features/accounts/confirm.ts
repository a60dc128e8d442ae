import { type Campus, isCampusEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { getDisplayNameFromEmail } from '#contract/names.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import { type Account, confirmAccount } from './account-repository.ts';
import type { CampusAddressTransfer } from './campus-address-transfer.ts';
import { findMailboxAccount, lockMailbox } from './mailbox-repository.ts';

interface ConfirmationProof {
  /** Hash of the id of the device that confirms the account. */
  device?: Buffer | undefined;
  /** The stored password hash if the caller has entered the matching password, and undefined otherwise. */
  provedHash?: string | undefined;
  now: Date;
}

export interface ConfirmationDeps {
  campus: Campus;
  transfer: CampusAddressTransfer;
  /**
   * Called with an address that is being confirmed. If the address belonged to a suspended account that was deleted,
   * throws account_suspended, unless an administrator confirms the address: then its owner may return.
   */
  checkSuspension(tx: Transaction, email: string): Promise<void>;
}

/**
 * Confirms an account whose owner has proved access to the mailbox. A person without a name is shown under the local
 * part of the email address; if that is not allowed as a name (for example, because it looks like a staff name), the
 * name "User" is stored instead. If the email address had been added to another account as a campus address, that
 * account loses the address. Returns the id of the account that lost the address, or undefined if there was none. Throws
 * account_exists when another confirmed account logs in with an address of the same mailbox.
 */
export const confirmOwnedAccount = async (
  tx: Transaction,
  { campus, transfer, checkSuspension }: ConfirmationDeps,
  { id: userId, email }: Pick<Account, 'id' | 'email'>,
  { device, provedHash, now }: ConfirmationProof,
): Promise<string | undefined> => {
  await lockMailbox(tx, campus, email);
  await checkSuspension(tx, email);
  const owner = await findMailboxAccount(tx, campus, email);
  if (owner && owner.id !== userId) throw createProblem('account_exists');
  const visibleName = getDisplayNameFromEmail(email, campus);
  const campusAddress = isCampusEmail(campus, email);
  const previousHolder = campusAddress
    ? await transfer(tx, email, { userId, logsInWithAddress: true })
    : undefined;
  await confirmAccount(tx, {
    userId,
    campusAddress,
    fallbackName: email.startsWith(`${visibleName}@`) ? null : visibleName,
    device,
    provedHash,
    now,
  });
  return previousHolder;
};
