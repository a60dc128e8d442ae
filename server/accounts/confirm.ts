import { type Campus, isCampusEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { getDisplayNameFromEmail } from '#contract/names.ts';
import type { AuditTrail } from '#server/audit/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import { type Account, confirmAccount } from './account-repository.ts';
import {
  findAndLockCampusAddressHolder,
  lockCampusAddress,
  removeAddedCampusAddress,
} from './campus-address-repository.ts';

export interface CampusAddressTransferDeps {
  clock: Clock;
  mailer: Pick<Mailer, 'sendCampusAddressMoved'>;
  audit: Pick<AuditTrail, 'note'>;
}

/**
 * Creates the function that takes a campus address away from the account to which it was added, because another
 * account has just proved ownership of the address. The function also removes the old account's badge and notifies
 * its owner by email. It returns the old account's id, so that the caller can invalidate that account's pages after
 * the commit, or undefined if no account had the address. Throws campus_address_taken if the old account is
 * suspended, so that a suspended person cannot return with a new account under the same address.
 */
export const createCampusAddressTransfer =
  ({ clock, mailer, audit }: CampusAddressTransferDeps) =>
  async (tx: Transaction, email: string, newOwnerId: string): Promise<string | undefined> => {
    await lockCampusAddress(tx, email);
    const holder = await findAndLockCampusAddressHolder(tx, email);
    if (!holder || holder.user_id === newOwnerId) return undefined;
    if (holder.suspended_at) throw createProblem('campus_address_taken');
    const { user_id: userId, login_email: to } = holder;
    await removeAddedCampusAddress(tx, { userId, now: clock.now() });
    await audit.note({ event: 'campus_address_moved', userId }, tx);
    await mailer.sendCampusAddressMoved(tx, { to, campusEmail: email });
    return userId;
  };

export type CampusAddressTransfer = ReturnType<typeof createCampusAddressTransfer>;

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
 * account loses the address. Returns the id of the account that lost the address, or undefined if there was none.
 */
export const confirmOwnedAccount = async (
  tx: Transaction,
  { campus, transfer, checkSuspension }: ConfirmationDeps,
  { id: userId, email }: Pick<Account, 'id' | 'email'>,
  { device, provedHash, now }: ConfirmationProof,
): Promise<string | undefined> => {
  await checkSuspension(tx, email);
  const visibleName = getDisplayNameFromEmail(email, campus);
  const campusAddress = isCampusEmail(campus, email);
  const previousHolder = campusAddress ? await transfer(tx, email, userId) : undefined;
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
