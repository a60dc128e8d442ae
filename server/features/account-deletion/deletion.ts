import { toCanonicalEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import { type App, react } from '#server/app.ts';
import {
  assertNotLastAdministrator,
  keepSuspendedAddresses,
  publishSessionEnd,
  toCampusCodeKey,
} from '#server/features/accounts/public.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { lockListingChanges } from '#server/features/listings/public.ts';
import { queueFileRemoval } from '#server/features/photos/public.ts';
import { invalidateProfilePages, invalidateSellerPages } from '#server/pages/public.ts';
import { runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import { deleteRateLimitCounts } from '#server/platform/rate-limits.ts';
import * as repository from './repository.ts';

/** Number of files per removal job. It is small enough that the job finishes well within its timeout. */
const filesPerJob = 50;

/** Returns whether an account may be deleted. Called while the account is locked. */
type DeletionCondition = (account: repository.AccountToDelete, tx: Transaction) => boolean | Promise<boolean>;

interface DeletionOptions {
  /** Why the account is deleted, for the audit trail. */
  reason?: string | undefined;
  /** Runs in the same transaction, after the account's rows have been deleted. */
  beforeCommit?: ((tx: Transaction) => Promise<void>) | undefined;
  /** Whether the account may be deleted even if it is the last administrator. */
  mayBeLastAdministrator?: boolean;
}

interface DeletionResult {
  sessionIds: string[];
  otherParties: { conversation_id: string; user_id: string }[];
  wasSeller: boolean;
}

const queuePhotoRemoval = async (app: App, tx: Transaction, userId: string): Promise<void> => {
  const urls = await repository.listPhotoUrls(tx, userId);
  for (let start = 0; start < urls.length; start += filesPerJob)
    await queueFileRemoval(app, tx, urls.slice(start, start + filesPerJob));
};

const deleteLockedAccount = async (
  app: App,
  tx: Transaction,
  userId: string,
  { email, campusEmail, hasListings }: repository.AccountToDelete,
  { reason, beforeCommit, mayBeLastAdministrator = false }: DeletionOptions,
): Promise<DeletionResult> => {
  const mailbox = toCanonicalEmail(app.config.campus, email);
  if (!mayBeLastAdministrator) await assertNotLastAdministrator(tx, userId);
  await react(app, tx, 'before_account_deletion', { userId });
  const sessionIds = await repository.deleteSessions(tx, userId);
  await queuePhotoRemoval(app, tx, userId);
  await repository.deleteAbandonedConversations(tx, userId);
  const otherParties = await repository.removePersonFromConversations(tx, userId);
  // Keep the codes and rate limit counters of the campus email address. They protect the owner of
  // the address, who may be another person.
  await repository.deleteVerificationCodes(tx, [mailbox, toCampusCodeKey(userId)]);
  await repository.deleteDevMailboxEmails(tx, campusEmail === null ? [email] : [email, campusEmail]);
  await deleteRateLimitCounts(tx, { userId, email: mailbox });
  await keepSuspendedAddresses(app, tx, userId);
  await repository.deletePerson(tx, userId);
  await noteSecurityEvent(app, { event: 'account_deleted', userId, reason }, tx);
  await beforeCommit?.(tx);
  return { sessionIds, otherParties, wasSeller: hasListings };
};

const tryToDelete = (
  app: App,
  userId: string,
  mayDelete: DeletionCondition,
  options: DeletionOptions,
): Promise<DeletionResult | 'refused' | 'retry'> =>
  runInTransaction(app.sql, async (tx) => {
    await lockListingChanges(tx, userId);
    const account = await repository.lockAccount(tx, userId);
    if (!account || !(await mayDelete(account, tx))) return 'refused' as const;
    return account.complete ? deleteLockedAccount(app, tx, userId, account, options) : ('retry' as const);
  });

/** Deletes an account with all its data. Returns false when it does not exist or may not be deleted. */
const deleteWithRetries = async (
  app: App,
  userId: string,
  mayDelete: DeletionCondition,
  options: DeletionOptions,
): Promise<boolean> => {
  let outcome = await tryToDelete(app, userId, mayDelete, options);
  while (outcome === 'retry') outcome = await tryToDelete(app, userId, mayDelete, options);
  if (outcome === 'refused') return false;
  await publishSessionEnd(app, userId, outcome.sessionIds);
  await (outcome.wasSeller ? invalidateSellerPages(app, userId) : invalidateProfilePages(app, userId));
  // The announcement makes the other party's clients reload the conversation if it is open.
  for (const other of outcome.otherParties) await app.bus.publish({ kind: 'read', ...other });
  return true;
};

/**
 * Deletes a person's account. Throws not_authenticated when the account no longer exists, rental_unfinished while a
 * rental has not been returned, and last_administrator when no other account can grant roles.
 */
export const deleteAccount = async (
  app: App,
  userId: string,
  options: Pick<DeletionOptions, 'beforeCommit' | 'mayBeLastAdministrator'> = {},
): Promise<void> => {
  if (!(await deleteWithRetries(app, userId, () => true, options))) throw createProblem('not_authenticated');
};

/**
 * Deletes an account that is still unconfirmed and whose latest sign-up was at or before `cutoff`, unless its newest
 * email code is still valid. Returns whether it was deleted.
 */
export const deleteUnconfirmedAccount = (app: App, userId: string, cutoff: Date): Promise<boolean> =>
  deleteWithRetries(
    app,
    userId,
    async ({ email, confirmed, credentialsUpdatedAt }, tx) =>
      !confirmed &&
      credentialsUpdatedAt <= cutoff &&
      !(await repository.hasValidEmailCode(tx, toCanonicalEmail(app.config.campus, email), app.clock.now())),
    { reason: 'address not confirmed in time' },
  );
