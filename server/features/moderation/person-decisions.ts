/**
 * These functions suspend people and lift suspensions. What administrators do outside of a case, in the console or with
 * a command, is recorded in a resolved case, so that the person reads it like any other decision and can appeal.
 */

import type { App } from '#server/app.ts';
import {
  type AccountSummary,
  getAccountSummary,
  liftSuspension,
  suspendAccount,
} from '#server/features/accounts/public.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import { runInTransaction, type Transaction } from '#server/platform/postgres/database.ts';
import { generateToken, hashToken } from '#server/platform/secrets.ts';
import { getModeratorRole } from './action-policy.ts';
import { type Moderator, setAppealTokenHash } from './action-repository.ts';
import { findQuotedUser } from './quote-repository.ts';
import { storeQuote } from './quotes.ts';
import { notifyReportersOfReversals } from './reporter-notices.ts';
import { insertResolvedCase } from './resolved-case-repository.ts';
import { lockCasesAboutPerson, markSuspensionsReversed } from './reversal-repository.ts';

interface PersonSuspension {
  reason: string;
  /** Number of days after which the suspension ends by itself, or null if it does not. */
  days: number | null;
}

const getEnd = ({ since, days }: { since: Date; days: number | null }): Date | null =>
  days === null ? null : addSeconds(since, days * dayInSeconds);

/**
 * Suspends a person in the caller's transaction of `runInTransaction`, which also writes the audit entry, and mails them
 * a link for an appeal against the action, if it is recorded. If a longer suspension is in force, its end stays, unless
 * this one `replacesCurrent`. Throws account_not_found, and last_administrator when no other account can grant roles.
 */
export const suspend = async (
  app: App,
  tx: Transaction,
  personId: string,
  suspension: PersonSuspension & { actionId: string | null; since: Date; replacesCurrent: boolean },
): Promise<void> => {
  const { actionId, since, reason, replacesCurrent } = suspension;
  const appealToken = actionId === null ? undefined : generateToken();
  if (actionId !== null && appealToken !== undefined)
    await setAppealTokenHash(tx, actionId, hashToken(appealToken));
  const until = getEnd(suspension);
  await suspendAccount(app, tx, personId, {
    by: actionId,
    since,
    until,
    reason,
    appealToken,
    replacesCurrent,
  });
};

/** Records a suspension in a resolved case. Returns the id of the action, or null when the account is not confirmed. */
const recordSuspension = async (
  app: App,
  tx: Transaction,
  personId: string,
  { moderator, since, ...decided }: PersonSuspension & { moderator: Moderator; since: Date },
): Promise<string | null> => {
  const quoted = await findQuotedUser(tx, personId);
  if (!quoted) return null;
  const { caseId, actionId } = await insertResolvedCase(tx, quoted, {
    ...decided,
    action: 'suspend',
    moderator,
    actorRole: getModeratorRole(moderator),
    now: since,
  });
  await storeQuote(app, tx, caseId, quoted);
  return actionId;
};

/**
 * Suspends a person, given by id or email address, as an administrator decided outside of a case. It replaces the
 * suspension that is in force. Throws account_not_found, and last_administrator when no other account can grant roles.
 */
export const suspendPerson = async (
  app: App,
  name: string,
  { days, reason, moderator }: PersonSuspension & { moderator: Moderator },
): Promise<AccountSummary> => {
  const { id } = await getAccountSummary(app, name);
  await runInTransaction(app.sql, async (tx) => {
    const since = app.clock.now();
    const actionId = await recordSuspension(app, tx, id, { days, reason, moderator, since });
    await suspend(app, tx, id, { actionId, days, reason, since, replacesCurrent: true });
    const until = getEnd({ since, days });
    const detail = until ? `until ${until.toISOString()}` : undefined;
    await noteSecurityEvent(app, { event: 'account_suspended', userId: id, detail }, tx);
  });
  return getAccountSummary(app, id);
};

/**
 * Lifts the suspension of a person, given by id or email address. Marks the decisions that suspended the person as
 * reversed, except one with an open appeal, which a moderator still has to decide, and tells the people whose reports
 * led to them. Does nothing when the person is not suspended. Throws account_not_found.
 */
export const liftSuspensionOf = async (app: App, name: string): Promise<AccountSummary> => {
  const { id } = await getAccountSummary(app, name);
  await runInTransaction(app.sql, async (tx) => {
    await lockCasesAboutPerson(tx, id);
    if (!(await liftSuspension(app, tx, id))) return;
    await noteSecurityEvent(app, { event: 'suspension_lifted', userId: id }, tx);
    const reversed = await markSuspensionsReversed(tx, id, app.clock.now());
    await notifyReportersOfReversals(app, tx, reversed);
  });
  return getAccountSummary(app, id);
};
