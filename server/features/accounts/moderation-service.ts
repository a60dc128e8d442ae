import { createProblem } from '#contract/errors.ts';
import type { AuditTrail, SecurityEvent } from '#server/features/audit/public.ts';
import type { ListingModeration } from '#server/features/listings/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { Mailer } from '#server/mail/public.ts';
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
  type CurrentSuspension,
  findAccountByEmail,
  findAndLockEndedSuspension,
  findAndLockSuspension,
  listAccountSummaries,
  listEndedSuspensions,
  setSuspended,
  setVerifiedBadge,
} from './account-repository.ts';
import { assertNotLastAdministrator } from './last-administrator.ts';
import { deleteSuspendedUserSessions, deleteUserSessions } from './session-repository.ts';
import { publishSessionEnd } from './sessions.ts';

interface AccountModerationDeps {
  sql: Sql;
  clock: Clock;
  bus: Pick<Bus, 'publish'>;
  invalidation: Pick<PageInvalidation, 'sellerChanged'>;
  listingModeration: Pick<ListingModeration, 'hideAllOf' | 'showAllOf'>;
  audit: Pick<AuditTrail, 'note'>;
  mailer: Pick<Mailer, 'sendAccountSuspended' | 'sendSuspensionLifted'>;
  notify: Notifier;
  /** Ends the actions of this moderator that have not taken effect. */
  endWaitingActions(tx: Transaction, userId: string): Promise<void>;
  deals: {
    /** Prevents these people from starting deals until the transaction ends. */
    lockStartingDeals(tx: Queryable, userIds: readonly string[]): Promise<void>;
    scheduleAccountSettling(tx: Queryable, userId: string): Promise<void>;
  };
}

/** When a suspension ends, and what the email to the account's owner says. */
export interface Suspension {
  /** When the suspension ends by itself; null (the default) if only an administrator can lift it. */
  until?: Date | null | undefined;
  /** The reason in the email to the owner. */
  reason?: string | undefined;
  /** The token of the link with which the owner can appeal, for the email. */
  appealToken?: string | undefined;
}

/** A suspension imposed by a moderator's action; reversing the action lifts the suspension. */
interface SuspensionByAction extends Suspension {
  /** Id of the moderator's action. */
  by: string;
  since: Date;
  until: Date | null;
}

/**
 * Records a suspension in its transaction, as a decision against which the person can appeal. Returns the id of the
 * decision and the token of the link in the email, or undefined when it was not recorded.
 */
type SuspensionRecorder = (
  tx: Transaction,
  suspension: { personId: string; since: Date },
) => Promise<{ by: string; appealToken: string } | undefined>;

/** Maximum number of suspensions that one run of the job lifts. */
const maxLiftedAtOnce = 100;
/** Maximum number of accounts that a search returns. */
const maxListedAccounts = 50;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Combines a new suspension with the current one: the later end applies. */
const combine = (
  current: CurrentSuspension | undefined,
  added: SuspensionByAction,
): Pick<SuspensionByAction, 'since' | 'until'> & { by: string | null } => {
  const { at, until, by } = current ?? {};
  if (!at || (until && until <= added.since)) return added;
  const isLonger = until && (added.until === null || added.until > until);
  // Keep the start of the current suspension, because `findRemainingSuspension` considers all decisions made since
  // then.
  return isLonger
    ? { since: at, until: added.until, by: added.by }
    : { since: at, until: until ?? null, by: by ?? null };
};

/** Creates the service with which administrators find, suspend and verify accounts. */
export const createAccountModeration = ({
  sql,
  clock,
  bus,
  invalidation,
  listingModeration,
  audit,
  mailer,
  notify,
  endWaitingActions,
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
    const id = uuidPattern.test(wanted) ? wanted : (await findAccountByEmail(sql, wanted))?.id;
    const [account] = id === undefined ? [] : await listAccountSummaries(sql, { id, text: '', limit: 1 });
    if (!account) throw createProblem('account_not_found', { sentence: `There is no account ${name}` });
    return account;
  };

  /**
   * Changes an account, with an audit entry in the same transaction. `work` returns the ids of the sessions that it
   * deleted; their end is published after the commit. Returns the changed account.
   */
  const change = async (
    name: string,
    event: SecurityEvent,
    work: (tx: Transaction, userId: string, email: string) => Promise<{ endedSessionIds: string[] }>,
    detail?: string,
  ): Promise<AccountSummary> => {
    const { id, email } = await get(name);
    const { endedSessionIds } = await runInTransaction(sql, async (tx) => {
      await audit.note({ event, userId: id, detail }, tx);
      return work(tx, id, email);
    });
    await publishSessionEnd(bus, id, endedSessionIds);
    return get(id);
  };

  const notifyPerson = (
    tx: Transaction,
    event: 'badge_granted' | 'badge_removed' | 'sessions_ended',
    userId: string,
  ) => notify(tx, event, [{ subjectId: null, facts: { at: clock.now().toISOString() }, userIds: [userId] }]);

  const liftIn = async (tx: Transaction, userId: string, email: string): Promise<void> => {
    await setSuspended(tx, { userId, at: null, until: null });
    await listingModeration.showAllOf(tx, userId);
    await mailer.sendSuspensionLifted(tx, { to: email });
  };

  const liftEnded = async (userId: string): Promise<boolean> => {
    const lifted = await runInTransaction(sql, async (tx) => {
      const account = await findAndLockEndedSuspension(tx, userId, clock.now());
      if (!account) return false;
      await audit.note({ event: 'suspension_lifted', userId, detail: 'ended' }, tx);
      await liftIn(tx, userId, account.email);
      return true;
    });
    if (lifted) await invalidation.sellerChanged(userId);
    return lifted;
  };

  const suspendIn = async (
    tx: Transaction,
    { id, email }: Pick<AccountSummary, 'id' | 'email'>,
    {
      by = null,
      since = clock.now(),
      until = null,
      reason,
      appealToken,
    }: Suspension & { by?: string | null; since?: Date },
  ): Promise<string[]> => {
    await endWaitingActions(tx, id);
    await assertNotLastAdministrator(tx, id);
    await deals.lockStartingDeals(tx, [id]);
    await setSuspended(tx, { userId: id, at: since, until, by });
    await listingModeration.hideAllOf(tx, id);
    await deals.scheduleAccountSettling(tx, id);
    await mailer.sendAccountSuspended(tx, { to: email, until: until?.toISOString(), reason, appealToken });
    return deleteSuspendedUserSessions(tx, id);
  };

  return {
    /**
     * Suspends an account in the caller's transaction, which also writes the audit entry. Returns a function that
     * publishes the changes after the commit. If a longer suspension is in force, its end stays. Does nothing when
     * there is no such account. Throws last_administrator when no other account can grant roles.
     */
    suspendWithin: async (
      tx: Transaction,
      userId: string,
      suspension: SuspensionByAction,
    ): Promise<() => Promise<void>> => {
      const current = await findAndLockSuspension(tx, userId);
      const [account] = await listAccountSummaries(tx, { id: userId, text: userId, limit: 1 });
      if (!account) return async () => {};
      const ended = await suspendIn(tx, account, { ...suspension, ...combine(current, suspension) });
      return async () => {
        await publishSessionEnd(bus, userId, ended);
        await invalidation.sellerChanged(userId);
      };
    },

    /**
     * Lifts a suspension that one of the moderators' actions in `setBy` imposed. If other decisions still require a
     * suspension, shortens it to their latest end instead. Runs in the caller's transaction, which also writes the
     * audit entry. Returns a function that publishes the changes after the commit.
     */
    liftWithin: async (
      tx: Transaction,
      userId: string,
      {
        setBy,
        findRemaining,
      }: {
        setBy: readonly string[];
        findRemaining(): Promise<{ id: string; until: Date | null } | undefined>;
      },
    ): Promise<() => Promise<void>> => {
      const nothing = async () => {};
      const current = await findAndLockSuspension(tx, userId);
      if (!current?.at || current.by === null || !setBy.includes(current.by)) return nothing;
      const remaining = await findRemaining();
      if (remaining) {
        await setSuspended(tx, { userId, at: current.at, until: remaining.until, by: remaining.id });
        return nothing;
      }
      const [account] = await listAccountSummaries(tx, { id: userId, text: userId, limit: 1 });
      if (!account) return nothing;
      await liftIn(tx, userId, account.email);
      return () => invalidation.sellerChanged(userId);
    },

    /** Lists the account with this id, or the newest accounts whose email address or name contains this text. */
    find,
    maxListed: maxListedAccounts,

    /** Returns an account by id or full email address. Throws account_not_found when there is none. */
    get,

    /**
     * Suspends an account: ends its sessions, refuses new ones, and hides its published listings. Notifies the owner
     * by email. If the account is already suspended, replaces the end of the suspension. Throws last_administrator
     * when no other account can grant roles.
     */
    suspend: async (
      name: string,
      {
        record = async () => undefined,
        ...suspension
      }: Pick<Suspension, 'until' | 'reason'> & { record?: SuspensionRecorder } = {},
    ): Promise<AccountSummary> => {
      const account = await change(
        name,
        'account_suspended',
        async (tx, id, email) => {
          const since = clock.now();
          const recorded = await record(tx, { personId: id, since });
          return {
            endedSessionIds: await suspendIn(tx, { id, email }, { ...suspension, since, ...recorded }),
          };
        },
        suspension.until ? `until ${suspension.until.toISOString()}` : undefined,
      );
      await invalidation.sellerChanged(account.id);
      return account;
    },

    /**
     * Lifts a suspension and publishes the hidden listings again. The person must log in again. Does nothing when the
     * account is not suspended. `record` records in the transaction that the decision was reversed.
     */
    lift: async (
      name: string,
      record: (tx: Transaction, personId: string) => Promise<void> = async () => {},
    ): Promise<AccountSummary> => {
      const { id, email } = await get(name);
      await runInTransaction(sql, async (tx) => {
        if (!(await findAndLockSuspension(tx, id))?.at) return;
        await audit.note({ event: 'suspension_lifted', userId: id }, tx);
        await liftIn(tx, id, email);
        await record(tx, id);
      });
      await invalidation.sellerChanged(id);
      return get(id);
    },

    /** Lifts an account's suspension if the end of the suspension has passed. Returns whether it was lifted. */
    liftEnded,

    /** Lifts the suspensions that have ended. */
    liftAllEnded: async (): Promise<void> => {
      for (const userId of await listEndedSuspensions(sql, clock.now(), maxLiftedAtOnce))
        await liftEnded(userId);
    },

    /** Grants or removes the verified badge, and notifies the person. */
    setVerified: async (name: string, verified: boolean): Promise<AccountSummary> => {
      const event = verified ? 'person_verified' : 'verification_undone';
      const before = await get(name);
      const account = await change(before.id, event, async (tx, userId) => {
        await setVerifiedBadge(tx, { userId, verified, now: clock.now() });
        if (before.usc_verified !== verified)
          await notifyPerson(tx, verified ? 'badge_granted' : 'badge_removed', userId);
        return { endedSessionIds: [] };
      });
      await invalidation.sellerChanged(account.id);
      return account;
    },

    /** Ends all sessions of a person and, if there were any, notifies the person. */
    endSessions: (name: string): Promise<AccountSummary> =>
      change(name, 'sessions_ended', async (tx, userId) => {
        const endedSessionIds = await deleteUserSessions(tx, userId);
        if (endedSessionIds.length > 0) await notifyPerson(tx, 'sessions_ended', userId);
        return { endedSessionIds };
      }),
  };
};

export type AccountModeration = ReturnType<typeof createAccountModeration>;
