import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { invalidateSellerPages } from '#server/pages/public.ts';
import { afterCommit, type Transaction } from '#server/platform/postgres/database.ts';
import { findAndLockCampusAddressHolder, removeAddedCampusAddress } from './campus-address-repository.ts';
import { lockMailbox } from './mailbox-repository.ts';
import { forgetMembership } from './memberships.ts';

/**
 * Takes a campus address away from the account to which it was added, if there is one, because another account has just
 * proved ownership of its mailbox. Also removes the old account's badge, notifies its owner by email, and invalidates its
 * pages after the commit. Throws campus_address_taken if the old account is suspended, so that a suspended person cannot
 * return with a new account under the same address, and, unless the new account logs in with the address, if an
 * administrator removed the old account's badge.
 */
export const transferCampusAddress = async (
  app: App,
  tx: Transaction,
  email: string,
  newOwner: { userId: string; logsInWithAddress: boolean },
): Promise<void> => {
  const { campus } = app.config;
  await lockMailbox(tx, campus, email);
  const holder = await findAndLockCampusAddressHolder(tx, campus, email);
  if (!holder || holder.user_id === newOwner.userId) return;
  const isBadgeWithheld = holder.badge_removed_at !== null && !newOwner.logsInWithAddress;
  if (holder.suspended_at || isBadgeWithheld) throw createProblem('campus_address_taken');
  const { user_id: userId, login_email: to } = holder;
  await removeAddedCampusAddress(tx, { userId, now: app.clock.now() });
  await forgetMembership(app, tx, userId);
  await noteSecurityEvent(app, { event: 'campus_address_moved', userId }, tx);
  await app.mail.send(tx, { kind: 'campus_address_moved', to, campusEmail: email });
  afterCommit(tx, () => invalidateSellerPages(app, userId));
};
