import { type App, react } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { invalidateSellerPages } from '#server/pages/public.ts';
import { afterCommit, runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import { changeAccount, getAccountSummary } from './account-moderation.ts';
import {
  type AccountSummary,
  type CurrentSuspension,
  findAndLockEndedSuspension,
  findAndLockSuspension,
  listAccountSummaries,
  listEndedSuspensions,
  setSuspended,
} from './account-repository.ts';
import { assertNotLastAdministrator } from './last-administrator.ts';
import { deleteSuspendedUserSessions } from './session-repository.ts';
import { publishSessionEnd } from './sessions.ts';

/** When a suspension ends, and what the email to the account's owner says. */
interface Suspension {
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

/** Suspends an account and returns the ids of its sessions, which it deletes. */
const suspend = async (
  app: App,
  tx: Transaction,
  { id, email }: Pick<AccountSummary, 'id' | 'email'>,
  {
    by = null,
    since = app.clock.now(),
    until = null,
    reason,
    appealToken,
  }: Suspension & { by?: string | null; since?: Date },
): Promise<string[]> => {
  // This locks cases, which other transactions lock before accounts.
  await react(app, tx, 'before_role_loss', { userId: id });
  await assertNotLastAdministrator(tx, id);
  await react(app, tx, 'before_account_suspension', { userId: id });
  await setSuspended(tx, { userId: id, at: since, until, by });
  await react(app, tx, 'account_suspended', { userId: id });
  await app.mail.send(tx, {
    kind: 'account_suspended',
    to: email,
    until: until?.toISOString(),
    reason,
    appealToken,
  });
  return deleteSuspendedUserSessions(tx, id);
};

const lift = async (
  app: App,
  tx: Transaction,
  { id, email }: Pick<AccountSummary, 'id' | 'email'>,
): Promise<void> => {
  await setSuspended(tx, { userId: id, at: null, until: null });
  await react(app, tx, 'suspension_lifted', { userId: id });
  await app.mail.send(tx, { kind: 'suspension_lifted', to: email });
};

/**
 * Suspends an account in the caller's transaction of `runInTransaction`, which also writes the audit entry. The changes are
 * published after the commit. If a longer suspension is in force, its end stays. Does nothing when there is no such
 * account. Throws last_administrator when no other account can grant roles.
 */
export const suspendAccountWithin = async (
  app: App,
  tx: Transaction,
  userId: string,
  suspension: SuspensionByAction,
): Promise<void> => {
  const current = await findAndLockSuspension(tx, userId);
  const [account] = await listAccountSummaries(tx, { id: userId, text: userId, limit: 1 });
  if (!account) return;
  const ended = await suspend(app, tx, account, { ...suspension, ...combine(current, suspension) });
  afterCommit(tx, async () => {
    await publishSessionEnd(app, userId, ended);
    await invalidateSellerPages(app, userId);
  });
};

/**
 * Lifts a suspension that one of the moderators' actions in `setBy` imposed. If other decisions still require a
 * suspension, shortens it to their latest end instead. Runs in the caller's transaction of `runInTransaction`, which also
 * writes the audit entry. The changes are published after the commit.
 */
export const liftSuspensionWithin = async (
  app: App,
  tx: Transaction,
  userId: string,
  {
    setBy,
    findRemaining,
  }: {
    setBy: readonly string[];
    findRemaining(): Promise<{ id: string; until: Date | null } | undefined>;
  },
): Promise<void> => {
  const current = await findAndLockSuspension(tx, userId);
  if (!current?.at || current.by === null || !setBy.includes(current.by)) return;
  const remaining = await findRemaining();
  if (remaining) {
    await setSuspended(tx, { userId, at: current.at, until: remaining.until, by: remaining.id });
    return;
  }
  const [account] = await listAccountSummaries(tx, { id: userId, text: userId, limit: 1 });
  if (!account) return;
  await lift(app, tx, account);
  afterCommit(tx, () => invalidateSellerPages(app, userId));
};

/**
 * Suspends an account: ends its sessions, refuses new ones, and hides its published listings. Notifies the owner by
 * email. If the account is already suspended, replaces the end of the suspension. `record` records the decision in the
 * transaction. Throws last_administrator when no other account can grant roles.
 */
export const suspendAccount = async (
  app: App,
  name: string,
  {
    record = async () => undefined,
    ...suspension
  }: Pick<Suspension, 'until' | 'reason'> & { record?: SuspensionRecorder } = {},
): Promise<AccountSummary> => {
  const account = await changeAccount(
    app,
    name,
    {
      event: 'account_suspended',
      detail: suspension.until ? `until ${suspension.until.toISOString()}` : undefined,
    },
    async (tx, id, email) => {
      const since = app.clock.now();
      const recorded = await record(tx, { personId: id, since });
      const endedSessionIds = await suspend(app, tx, { id, email }, { ...suspension, since, ...recorded });
      return { endedSessionIds };
    },
  );
  await invalidateSellerPages(app, account.id);
  return account;
};

/**
 * Lifts a suspension and publishes the hidden listings again. The person must log in again. Does nothing when the account
 * is not suspended. `record` records in the transaction that the decision was reversed.
 */
export const liftSuspension = async (
  app: App,
  name: string,
  record: (tx: Transaction, personId: string) => Promise<void> = async () => {},
): Promise<AccountSummary> => {
  const { id, email } = await getAccountSummary(app, name);
  await runInTransaction(app.sql, async (tx) => {
    if (!(await findAndLockSuspension(tx, id))?.at) return;
    await noteSecurityEvent(app, { event: 'suspension_lifted', userId: id }, tx);
    await lift(app, tx, { id, email });
    await record(tx, id);
  });
  await invalidateSellerPages(app, id);
  return getAccountSummary(app, id);
};

/** Lifts an account's suspension if the end of the suspension has passed. Returns whether it was lifted. */
export const liftEndedSuspension = async (app: App, userId: string): Promise<boolean> => {
  const lifted = await runInTransaction(app.sql, async (tx) => {
    const account = await findAndLockEndedSuspension(tx, userId, app.clock.now());
    if (!account) return false;
    await noteSecurityEvent(app, { event: 'suspension_lifted', userId, detail: 'ended' }, tx);
    await lift(app, tx, { id: userId, email: account.email });
    return true;
  });
  if (lifted) await invalidateSellerPages(app, userId);
  return lifted;
};

/** Lifts the suspensions that have ended. */
export const liftEndedSuspensions = async (app: App): Promise<void> => {
  for (const userId of await listEndedSuspensions(app.sql, app.clock.now(), maxLiftedAtOnce))
    await liftEndedSuspension(app, userId);
};
