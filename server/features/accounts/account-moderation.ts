import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent, type SecurityEvent } from '#server/features/audit/public.ts';
import { notify } from '#server/features/notifications/public.ts';
import { invalidateSellerPages } from '#server/pages/public.ts';
import { runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import {
  type AccountSummary,
  findAccountByEmail,
  listAccountSummaries,
  setVerifiedBadge,
} from './account-repository.ts';
import { recordBadgeDecision } from './memberships.ts';
import { deleteUserSessions } from './session-repository.ts';
import { publishSessionEnd } from './sessions.ts';

/** Maximum number of accounts that a search returns. */
export const maxFoundAccounts = 50;
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Lists the account with this id, or the newest accounts whose email address or name contains this text. */
export const searchAccounts = ({ sql }: App, text: string): Promise<readonly AccountSummary[]> => {
  const wanted = text.trim().toLowerCase();
  return listAccountSummaries(sql, {
    id: uuidPattern.test(wanted) ? wanted : null,
    text: wanted,
    limit: maxFoundAccounts,
  });
};

/** Returns an account by id or full email address. Throws account_not_found when there is none. */
export const getAccountSummary = async ({ sql }: App, name: string): Promise<AccountSummary> => {
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
export const changeAccount = async (
  app: App,
  name: string,
  { event, detail }: { event: SecurityEvent; detail?: string | undefined },
  work: (tx: Transaction, userId: string, email: string) => Promise<{ endedSessionIds: string[] }>,
): Promise<AccountSummary> => {
  const { id, email } = await getAccountSummary(app, name);
  const { endedSessionIds } = await runInTransaction(app.sql, async (tx) => {
    await noteSecurityEvent(app, { event, userId: id, detail }, tx);
    return work(tx, id, email);
  });
  await publishSessionEnd(app, id, endedSessionIds);
  return getAccountSummary(app, id);
};

const notifyPerson = (
  app: App,
  tx: Transaction,
  event: 'badge_granted' | 'badge_removed' | 'sessions_ended',
  userId: string,
): Promise<void> =>
  notify(app, tx, event, [
    { subjectId: null, facts: { at: app.clock.now().toISOString() }, userIds: [userId] },
  ]);

/** Grants or removes the verified badge, and notifies the person. */
export const setAccountVerified = async (
  app: App,
  name: string,
  verified: boolean,
): Promise<AccountSummary> => {
  const event = verified ? 'person_verified' : 'verification_undone';
  const before = await getAccountSummary(app, name);
  const account = await changeAccount(app, before.id, { event }, async (tx, userId) => {
    await setVerifiedBadge(tx, { userId, verified, now: app.clock.now() });
    await recordBadgeDecision(app, tx, userId, verified);
    if (before.usc_verified !== verified)
      await notifyPerson(app, tx, verified ? 'badge_granted' : 'badge_removed', userId);
    return { endedSessionIds: [] };
  });
  await invalidateSellerPages(app, account.id);
  return account;
};

/** Ends all sessions of a person and, if there were any, notifies the person. */
export const endAccountSessions = (app: App, name: string): Promise<AccountSummary> =>
  changeAccount(app, name, { event: 'sessions_ended' }, async (tx, userId) => {
    const endedSessionIds = await deleteUserSessions(tx, userId);
    if (endedSessionIds.length > 0) await notifyPerson(app, tx, 'sessions_ended', userId);
    return { endedSessionIds };
  });
