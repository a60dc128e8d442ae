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

/** Files per removal job, few enough to finish well within the job's timeout. */
const filesAtOnce = 50;

export interface AccountDeletionDeps {
  sql: Sql;
  clock: Clock;
  bus: Bus;
  invalidation: Pick<PageInvalidation, 'sellerChanged'>;
  listings: Pick<Listings, 'lockListingChanges'>;
  audit: Pick<Audit, 'note'>;
  /** Queues the removal of files in the transaction. */
  removeFiles(tx: Queryable, urls: string[]): Promise<void>;
  /** Deletes an account's rate limit counters. */
  deleteRateLimitCounts(tx: Queryable, account: { userId: string; email: string }): Promise<void>;
}

/** Decides whether an account may be deleted, while it is locked. */
type Condition = (account: repository.LockedAccount, tx: Transaction) => boolean | Promise<boolean>;

interface DeletionResult {
  sessionIds: string[];
  otherParties: { conversation_id: string; user_id: string }[];
  wasSeller: boolean;
}

export const createAccountDeletion = (deps: AccountDeletionDeps) => {
  const { sql, clock, bus, invalidation, listings, audit, removeFiles, deleteRateLimitCounts } = deps;

  const removeAll = async (
    tx: Transaction,
    userId: string,
    { email, hasListings }: repository.LockedAccount,
    reason: string | undefined,
  ): Promise<DeletionResult> => {
    const sessionIds = await repository.deleteSessions(tx, userId);
    const urls = await repository.listPhotoUrls(tx, userId);
    for (let start = 0; start < urls.length; start += filesAtOnce) {
      await removeFiles(tx, urls.slice(start, start + filesAtOnce));
    }
    await repository.deleteIdleConversations(tx, userId);
    const otherParties = await repository.clearConversationSides(tx, userId);
    await repository.deleteByAddress(tx, email);
    await deleteRateLimitCounts(tx, { userId, email });
    await repository.deletePerson(tx, userId);
    await audit.note({ event: 'account_deleted', userId, reason }, tx);
    return { sessionIds, otherParties, wasSeller: hasListings };
  };

  const attempt = (
    userId: string,
    mayDelete: Condition,
    reason: string | undefined,
  ): Promise<DeletionResult | 'refused' | 'retry'> =>
    atomically(sql, async (tx) => {
      await listings.lockListingChanges(tx, userId);
      const account = await repository.lockAccount(tx, userId);
      if (!account || !(await mayDelete(account, tx))) return 'refused' as const;
      return account.complete ? removeAll(tx, userId, account, reason) : ('retry' as const);
    });

  /** Deletes an account with all its data; false when it does not exist or may not be deleted. */
  const remove = async (userId: string, mayDelete: Condition, reason?: string): Promise<boolean> => {
    let outcome = await attempt(userId, mayDelete, reason);
    while (outcome === 'retry') outcome = await attempt(userId, mayDelete, reason);
    if (outcome === 'refused') return false;
    await publishSessionEnd(bus, userId, outcome.sessionIds);
    if (outcome.wasSeller) await invalidation.sellerChanged(userId);
    // Makes the other parties' screens reload.
    for (const other of outcome.otherParties) await bus.publish({ kind: 'read', ...other });
    return true;
  };

  return {
    /** Deletes a person's account. */
    deleteAccount: async (userId: string): Promise<void> => {
      if (!(await remove(userId, () => true))) throw problem('not_authenticated');
    },

    /** Deletes an account that stayed unconfirmed since before an instant, unless its newest code is still valid. */
    deleteUnconfirmed: (userId: string, since: Date): Promise<boolean> =>
      remove(
        userId,
        async ({ email, confirmed, signedUpAt }, tx) =>
          !confirmed && signedUpAt <= since && !(await repository.hasValidCode(tx, email, clock.now())),
        'address not confirmed in time',
      ),
  };
};

export type AccountDeletion = ReturnType<typeof createAccountDeletion>;
