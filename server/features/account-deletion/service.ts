import { createProblem } from '#contract/errors.ts';
import { publishSessionEnd, toCampusCodeKey } from '#server/features/accounts/public.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { ListingService } from '#server/features/listings/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import {
  type Queryable,
  runInTransaction,
  type Sql,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

/** Number of files per removal job. It is small enough that the job finishes well within its timeout. */
const filesPerJob = 50;

export interface AccountDeletionDeps {
  sql: Sql;
  clock: Clock;
  bus: Bus;
  invalidation: Pick<PageInvalidation, 'profileChanged' | 'sellerChanged'>;
  listings: Pick<ListingService, 'lockListingChanges'>;
  /** The functions of the deals feature that account deletion calls. */
  deals: {
    /** Queues a job that ends the account's offers and holds after the commit. */
    scheduleAccountSettling(tx: Queryable, userId: string): Promise<void>;
    /** Throws rental_unfinished when a rental of the account has not been returned. */
    assertNoUnreturnedRental(tx: Queryable, userId: string): Promise<void>;
  };
  audit: Pick<AuditTrail, 'note'>;
  /** Throws last_administrator when this account is the only one that can grant roles. */
  assertNotLastAdministrator(tx: Queryable, userId: string): Promise<void>;
  /** Returns the canonical address of a mailbox, under which codes and rate limits are stored. */
  toMailbox(email: string): string;
  /** Ends the actions of this moderator that have not taken effect. */
  endWaitingActions(tx: Transaction, userId: string): Promise<void>;
  /** Queues the removal of the account's files as part of the transaction. */
  removeFiles(tx: Queryable, urls: string[]): Promise<void>;
  /** If the account is suspended, stores its email addresses, so that the person cannot sign up with them again. */
  keepSuspendedAddresses(tx: Queryable, userId: string): Promise<void>;
  /** Deletes the rate limit counters of an account. */
  deleteRateLimitCounts(tx: Queryable, account: { userId: string; email: string }): Promise<void>;
}

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

export const createAccountDeletion = (deps: AccountDeletionDeps) => {
  const { sql, clock, bus, invalidation, listings, deals, audit, removeFiles, deleteRateLimitCounts } = deps;
  const { toMailbox } = deps;

  const deleteLockedAccount = async (
    tx: Transaction,
    userId: string,
    { email, campusEmail, hasListings }: repository.AccountToDelete,
    { reason, beforeCommit, mayBeLastAdministrator = false }: DeletionOptions,
  ): Promise<DeletionResult> => {
    if (!mayBeLastAdministrator) await deps.assertNotLastAdministrator(tx, userId);
    await deals.assertNoUnreturnedRental(tx, userId);
    await deps.endWaitingActions(tx, userId);
    await deals.scheduleAccountSettling(tx, userId);
    const sessionIds = await repository.deleteSessions(tx, userId);
    const urls = await repository.listPhotoUrls(tx, userId);
    for (let start = 0; start < urls.length; start += filesPerJob) {
      await removeFiles(tx, urls.slice(start, start + filesPerJob));
    }
    await repository.deleteAbandonedConversations(tx, userId);
    const otherParties = await repository.removePersonFromConversations(tx, userId);
    // Keep the codes and rate limit counters of the campus email address. They protect the owner of
    // the address, who may be another person.
    await repository.deleteVerificationCodes(tx, [toMailbox(email), toCampusCodeKey(userId)]);
    await repository.deleteDevMailboxEmails(tx, campusEmail === null ? [email] : [email, campusEmail]);
    await deleteRateLimitCounts(tx, { userId, email: toMailbox(email) });
    await deps.keepSuspendedAddresses(tx, userId);
    await repository.deletePerson(tx, userId);
    await audit.note({ event: 'account_deleted', userId, reason }, tx);
    await beforeCommit?.(tx);
    return { sessionIds, otherParties, wasSeller: hasListings };
  };

  const tryToDelete = (
    userId: string,
    mayDelete: DeletionCondition,
    options: DeletionOptions,
  ): Promise<DeletionResult | 'refused' | 'retry'> =>
    runInTransaction(sql, async (tx) => {
      await listings.lockListingChanges(tx, userId);
      const account = await repository.lockAccount(tx, userId);
      if (!account || !(await mayDelete(account, tx))) return 'refused' as const;
      return account.complete ? deleteLockedAccount(tx, userId, account, options) : ('retry' as const);
    });

  /** Deletes an account with all its data. Returns false when it does not exist or may not be deleted. */
  const deleteWithRetries = async (
    userId: string,
    mayDelete: DeletionCondition,
    options: DeletionOptions,
  ): Promise<boolean> => {
    let outcome = await tryToDelete(userId, mayDelete, options);
    while (outcome === 'retry') outcome = await tryToDelete(userId, mayDelete, options);
    if (outcome === 'refused') return false;
    await publishSessionEnd(bus, userId, outcome.sessionIds);
    await (outcome.wasSeller ? invalidation.sellerChanged(userId) : invalidation.profileChanged(userId));
    // The announcement makes the other party's clients reload the conversation if it is open.
    for (const other of outcome.otherParties) await bus.publish({ kind: 'read', ...other });
    return true;
  };

  return {
    /**
     * Deletes a person's account. Throws not_authenticated when the account no longer exists, rental_unfinished while
     * a rental has not been returned, and last_administrator when no other account can grant roles.
     */
    deleteAccount: async (
      userId: string,
      options: Pick<DeletionOptions, 'beforeCommit' | 'mayBeLastAdministrator'> = {},
    ): Promise<void> => {
      if (!(await deleteWithRetries(userId, () => true, options))) throw createProblem('not_authenticated');
    },

    /**
     * Deletes an account that is still unconfirmed and whose latest sign-up was at or before `cutoff`, unless
     * its newest email code is still valid.
     */
    deleteUnconfirmed: (userId: string, cutoff: Date): Promise<boolean> =>
      deleteWithRetries(
        userId,
        async ({ email, confirmed, credentialsUpdatedAt }, tx) =>
          !confirmed &&
          credentialsUpdatedAt <= cutoff &&
          !(await repository.hasValidEmailCode(tx, toMailbox(email), clock.now())),
        { reason: 'address not confirmed in time' },
      ),
  };
};

export type AccountDeletionService = ReturnType<typeof createAccountDeletion>;
