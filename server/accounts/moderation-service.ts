import { createProblem } from '#contract/errors.ts';
import type { Audit, SecurityEvent } from '#server/audit/public.ts';
import type { ListingModeration } from '#server/listings/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import {
  type Queryable,
  runInTransaction,
  type Sql,
  type Transaction,
} from '#server/platform/postgres/database.ts';
import {
  type AccountSummary,
  listAccountSummaries,
  setSuspended,
  setVerifiedBadge,
} from './account-repository.ts';
import { deleteUserSessions } from './session-repository.ts';
import { publishSessionEnd } from './sessions.ts';

interface AccountModerationDeps {
  sql: Sql;
  clock: Clock;
  bus: Pick<Bus, 'publish'>;
  invalidation: Pick<PageInvalidation, 'profileChanged' | 'sellerChanged'>;
  listingModeration: Pick<ListingModeration, 'hideAllOf' | 'showAllOf'>;
  audit: Pick<Audit, 'note'>;
  deals: { scheduleAccountSettling(tx: Queryable, userId: string): Promise<void> };
}

/** Maximum number of accounts that a search returns. */
const maxListedAccounts = 50;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates the service with which administrators find, suspend and verify accounts. */
export const createAccountModeration = ({
  sql,
  clock,
  bus,
  invalidation,
  listingModeration,
  audit,
  deals,
}: AccountModerationDeps) => {
  const find = (text: string): Promise<AccountSummary[]> => {
    const wanted = text.trim().toLowerCase();
    return listAccountSummaries(sql, {
      id: uuidPattern.test(wanted) ? wanted : null,
      text: wanted,
      limit: maxListedAccounts,
    });
  };

  const get = async (name: string): Promise<AccountSummary> => {
    const wanted = name.trim().toLowerCase();
    const account = (await find(name)).find(({ id, email }) => id === wanted || email === wanted);
    if (!account) throw createProblem('account_not_found', { sentence: `There is no account ${name}` });
    return account;
  };

  const change = async (
    name: string,
    event: SecurityEvent,
    work: (tx: Transaction, userId: string) => Promise<string[]>,
  ): Promise<AccountSummary> => {
    const { id } = await get(name);
    const ended = await runInTransaction(sql, async (tx) => {
      await audit.note({ event, userId: id }, tx);
      return work(tx, id);
    });
    await publishSessionEnd(bus, id, ended);
    return get(id);
  };

  return {
    /** Lists the newest accounts with this id, or with this text in their email address or name. */
    find,
    maxListed: maxListedAccounts,

    /** Returns an account by id or full email address; throws account_not_found. */
    get,

    /** Suspends an account: ends its sessions, refuses new ones, and hides its published listings. */
    suspend: async (name: string): Promise<AccountSummary> => {
      const account = await change(name, 'account_suspended', async (tx, userId) => {
        await setSuspended(tx, userId, clock.now());
        await listingModeration.hideAllOf(tx, userId);
        await deals.scheduleAccountSettling(tx, userId);
        return deleteUserSessions(tx, userId);
      });
      await invalidation.sellerChanged(account.id);
      return account;
    },

    /** Lifts a suspension and shows the hidden listings again; the person has to log in again. */
    lift: async (name: string): Promise<AccountSummary> => {
      const account = await change(name, 'suspension_lifted', async (tx, userId) => {
        await setSuspended(tx, userId, null);
        await listingModeration.showAllOf(tx, userId);
        return [];
      });
      await invalidation.sellerChanged(account.id);
      return account;
    },

    /** Grants or removes the verified badge, and tells the person. */
    setVerified: async (name: string, verified: boolean): Promise<AccountSummary> => {
      const event = verified ? 'person_verified' : 'verification_undone';
      const account = await change(name, event, async (tx, userId) => {
        await setVerifiedBadge(tx, { userId, verified, now: clock.now() });
        return [];
      });
      await invalidation.profileChanged(account.id);
      return account;
    },

    /** Ends all sessions of a person, who is told if there were any. */
    endSessions: (name: string): Promise<AccountSummary> =>
      change(name, 'sessions_ended', (tx, userId) => deleteUserSessions(tx, userId)),
  };
};

export type AccountModeration = ReturnType<typeof createAccountModeration>;
