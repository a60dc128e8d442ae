import { problem } from '#contract/errors.ts';
import { publishSessionEnd } from '#server/accounts/public.ts';
import type { Audit } from '#server/audit/public.ts';
import type { Listings } from '#server/listings/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import {
  atomically,
  type Queryable,
  type Sql,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import * as repository from './repository.ts';

/** Number of files per removal job; small enough that the job finishes well within its timeout. */
const filesPerJob = 50;

export interface AccountDeletionDeps {
  sql: Sql;
  clock: Clock;
  bus: Bus;
  invalidation: Pick<PageInvalidation, 'sellerChanged'>;
  listings: Pick<Listings, 'lockListingChanges'>;
  audit: Pick<Audit, 'note'>;
  /** Queues the removal of files as part of the transaction. */
  removeFiles(tx: Queryable, urls: string[]): Promise<void>;
  /** Deletes the rate limit counters of an account. */
  deleteRateLimitCounts(tx: Queryable, account: { userId: string; email: string }): Promise<void>;
}

/** Decides whether an account may be deleted; called while the account is locked. */
type DeletionCondition = (account: repository.LockedAccount, tx: Transaction) => boolean | Promise<boolean>;

interface DeletionResult {
  sessionIds: string[];
  otherParties: { conversation_id: string; user_id: string }[];
  wasSeller: boolean;
}

export const createAccountDeletion = (deps: AccountDeletionDeps) => {
  const { sql, clock, bus, invalidation, listings, audit, removeFiles, deleteRateLimitCounts } = deps;

  const deleteLockedAccount = async (
    tx: Transaction,
    userId: string,
    { email, hasListings }: repository.LockedAccount,
    reason: string | undefined,
  ): Promise<DeletionResult> => {
    const sessionIds = await repository.deleteSessions(tx, userId);
    const urls = await repository.listPhotoUrls(tx, userId);
    for (let start = 0; start < urls.length; start += filesPerJob) {
      await removeFiles(tx, urls.slice(start, start + filesPerJob));
    }
    await repository.deleteIdleConversations(tx, userId);
    const otherParties = await repository.clearConversationSides(tx, userId);
    await repository.deleteByAddress(tx, email);
    await deleteRateLimitCounts(tx, { userId, email });
    await repository.deletePerson(tx, userId);
    await audit.note({ event: 'account_deleted', userId, reason }, tx);
    return { sessionIds, otherParties, wasSeller: hasListings };
  };

  const tryToDelete = (
    userId: string,
    mayDelete: DeletionCondition,
    reason: string | undefined,
  ): Promise<DeletionResult | 'refused' | 'retry'> =>
    atomically(sql, async (tx) => {
      await listings.lockListingChanges(tx, userId);
      const account = await repository.lockAccount(tx, userId);
      if (!account || !(await mayDelete(account, tx))) return 'refused' as const;
      return account.complete ? deleteLockedAccount(tx, userId, account, reason) : ('retry' as const);
    });

  /** Deletes an account with all its data; returns false when it does not exist or may not be deleted. */
  const deleteWithRetries = async (
    userId: string,
    mayDelete: DeletionCondition,
    reason?: string,
  ): Promise<boolean> => {
    let outcome = await tryToDelete(userId, mayDelete, reason);
    while (outcome === 'retry') outcome = await tryToDelete(userId, mayDelete, reason);
    if (outcome === 'refused') return false;
    await publishSessionEnd(bus, userId, outcome.sessionIds);
    if (outcome.wasSeller) await invalidation.sellerChanged(userId);
    // Makes the open screens of the other parties reload.
    for (const other of outcome.otherParties) await bus.publish({ kind: 'read', ...other });
    return true;
  };

  return {
    /** Deletes a person's account; throws not_authenticated when it no longer exists. */
    deleteAccount: async (userId: string): Promise<void> => {
      if (!(await deleteWithRetries(userId, () => true))) throw problem('not_authenticated');
    },

    /**
     * Deletes an account that is unconfirmed and signed up last before an instant, unless its newest code is still
     * valid.
     */
    deleteUnconfirmed: (userId: string, since: Date): Promise<boolean> =>
      deleteWithRetries(
        userId,
        async ({ email, confirmed, signedUpAt }, tx) =>
          !confirmed && signedUpAt <= since && !(await repository.hasValidCode(tx, email, clock.now())),
        'address not confirmed in time',
      ),
  };
};

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;
