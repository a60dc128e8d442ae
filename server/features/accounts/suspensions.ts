import { type App, react } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { invalidateSellerPages } from '#server/pages/public.ts';
import { afterCommit, runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import {
  type CurrentSuspension,
  findAndLockSuspension,
  listEndedSuspensions,
  setSuspended,
} from './account-repository.ts';
import { assertNotLastAdministrator } from './last-administrator.ts';
import { createMissingAccountProblem } from './missing-account.ts';
import { deleteSuspendedUserSessions } from './session-repository.ts';
import { publishSessionEnd } from './sessions.ts';

interface Suspension {
  /** Id of the action that imposes the suspension; reversing the action lifts it. Null if no action is recorded. */
  by: string | null;
  since: Date;
  /** When the suspension ends by itself; null if only an administrator can lift it. */
  until: Date | null;
  /** The reason in the email to the owner. */
  reason: string;
  /** The token of the link with which the owner can appeal, for the email. */
  appealToken?: string | undefined;
}

/** Maximum number of suspensions that one run of the job lifts. */
const maxLiftedAtOnce = 100;

/** Combines a new suspension with the current one: the later end applies. */
const combine = (
  { at, until, by }: CurrentSuspension,
  added: Suspension,
): Pick<Suspension, 'since' | 'until' | 'by'> => {
  if (!at || (until && until <= added.since)) return added;
  const isLonger = until && (added.until === null || added.until > until);
  // Keep the start of the current suspension, because `findRemainingSuspension` considers all decisions made since
  // then.
  return isLonger ? { since: at, until: added.until, by: added.by } : { since: at, until, by };
};

/**
 * Suspends an account in the caller's transaction of `runInTransaction`, which also writes the audit entry: ends its
 * sessions, refuses new ones, hides its published listings, and notifies the owner by email. The changes are published
 * after the commit. If a longer suspension is in force, its end stays, unless this one `replacesCurrent`. Throws
 * account_not_found, and last_administrator when no other account can grant roles.
 */
export const suspendAccount = async (
  app: App,
  tx: Transaction,
  userId: string,
  { replacesCurrent, ...suspension }: Suspension & { replacesCurrent: boolean },
): Promise<void> => {
  // This locks cases, which other transactions lock before accounts.
  await react(app, tx, 'before_role_loss', { userId });
  await assertNotLastAdministrator(tx, userId);
  await react(app, tx, 'before_account_suspension', { userId });
  const current = await findAndLockSuspension(tx, userId);
  if (!current) throw createMissingAccountProblem();
  const { since, until, by } = replacesCurrent ? suspension : combine(current, suspension);
  await setSuspended(tx, { userId, at: since, until, by });
  await react(app, tx, 'account_suspended', { userId });
  await app.mail.send(tx, {
    kind: 'account_suspended',
    to: current.email,
    until: until?.toISOString(),
    reason: suspension.reason,
    appealToken: suspension.appealToken,
  });
  const endedSessionIds = await deleteSuspendedUserSessions(tx, userId);
  afterCommit(tx, async () => {
    await publishSessionEnd(app, userId, endedSessionIds);
    await invalidateSellerPages(app, userId);
  });
};

/**
 * Lifts a suspension in the caller's transaction of `runInTransaction`, which also writes the audit entry, publishes the
 * hidden listings again and notifies the owner by email. The person must log in again. The changes are published after
 * the commit. Returns false, and lifts nothing, when the account is not suspended, or the suspension is not one that
 * `isMeant`. If `findRemaining` returns another decision that still requires a suspension, shortens it to its end instead.
 */
export const liftSuspension = async (
  app: App,
  tx: Transaction,
  userId: string,
  {
    isMeant = () => true,
    findRemaining = async () => undefined,
  }: {
    isMeant?: (current: CurrentSuspension) => boolean;
    findRemaining?: () => Promise<{ id: string; until: Date | null } | undefined>;
  } = {},
): Promise<boolean> => {
  const current = await findAndLockSuspension(tx, userId);
  if (!current?.at || !isMeant(current)) return false;
  const remaining = await findRemaining();
  if (remaining) {
    await setSuspended(tx, { userId, at: current.at, until: remaining.until, by: remaining.id });
    return false;
  }
  await setSuspended(tx, { userId, at: null, until: null, by: null });
  await react(app, tx, 'suspension_lifted', { userId });
  await app.mail.send(tx, { kind: 'suspension_lifted', to: current.email });
  afterCommit(tx, () => invalidateSellerPages(app, userId));
  return true;
};

/** Lifts an account's suspension if the end of the suspension has passed. Returns whether it was lifted. */
export const liftEndedSuspension = (app: App, userId: string): Promise<boolean> =>
  runInTransaction(app.sql, async (tx) => {
    const now = app.clock.now();
    const isMeant = ({ until }: CurrentSuspension) => until !== null && until <= now;
    if (!(await liftSuspension(app, tx, userId, { isMeant }))) return false;
    await noteSecurityEvent(app, { event: 'suspension_lifted', userId, detail: 'ended' }, tx);
    return true;
  });

export const liftEndedSuspensions = async (app: App): Promise<void> => {
  for (const userId of await listEndedSuspensions(app.sql, app.clock.now(), maxLiftedAtOnce))
    await liftEndedSuspension(app, userId);
};
