import type { CampusMailboxes } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Transaction } from '#server/platform/postgres/database.ts';
import { findAndLockCampusAddressHolder, removeAddedCampusAddress } from './campus-address-repository.ts';
import { lockMailbox } from './mailbox-repository.ts';

interface CampusAddressTransferDeps {
  clock: Clock;
  mailer: Pick<Mailer, 'sendCampusAddressMoved'>;
  audit: Pick<AuditTrail, 'note'>;
  campus: CampusMailboxes;
}

/**
 * Creates the function that takes a campus address away from the account to which it was added, because another
 * account has just proved ownership of its mailbox. The function also removes the old account's badge and notifies
 * its owner by email. It returns the old account's id, so that the caller can invalidate that account's pages after
 * the commit, or undefined if no account had the address. Throws campus_address_taken if the old account is
 * suspended, so that a suspended person cannot return with a new account under the same address, and, unless the new
 * account logs in with the address, if an administrator removed the old account's badge.
 */
export const createCampusAddressTransfer =
  ({ clock, mailer, audit, campus }: CampusAddressTransferDeps) =>
  async (
    tx: Transaction,
    email: string,
    newOwner: { userId: string; logsInWithAddress: boolean },
  ): Promise<string | undefined> => {
    await lockMailbox(tx, campus, email);
    const holder = await findAndLockCampusAddressHolder(tx, campus, email);
    if (!holder || holder.user_id === newOwner.userId) return undefined;
    const isBadgeWithheld = holder.badge_removed_at !== null && !newOwner.logsInWithAddress;
    if (holder.suspended_at || isBadgeWithheld) throw createProblem('campus_address_taken');
    const { user_id: userId, login_email: to } = holder;
    await removeAddedCampusAddress(tx, { userId, now: clock.now() });
    await audit.note({ event: 'campus_address_moved', userId }, tx);
    await mailer.sendCampusAddressMoved(tx, { to, campusEmail: email });
    return userId;
  };

export type CampusAddressTransfer = ReturnType<typeof createCampusAddressTransfer>;
