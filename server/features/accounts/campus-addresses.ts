import { isCampusEmail } from '#contract/campus.ts';
import { createProblem, Problem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import type { CampusAddressAdvice } from '#server/mail/public.ts';
import { invalidateSellerPages } from '#server/pages/public.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import {
  findAddedCampusAddress,
  findAddressConflict,
  findAndLockBadgeEligibility,
  removeAddedCampusAddress,
  saveUnverifiedAddress,
  verifyCampusAddress,
} from './campus-address-repository.ts';
import { transferCampusAddress } from './campus-address-transfer.ts';
import {
  issueCode,
  issueDecoyCode,
  redeemCode,
  toCampusCodeKey,
  toVerificationCodeProblem,
} from './codes.ts';
import { countCampusCodeRequest } from './login-throttle.ts';
import { confirmMembership, forgetMembership } from './memberships.ts';
import { assertOtherLogInAllowed } from './sign-on-rule.ts';
import { isAddressSuspended } from './suspended-addresses.ts';

// A person adds a campus email address to an account that logs in with another address, and thereby earns the verified
// badge (docs/decisions/0036).

// Replaces the message of a rate limit with the general one: the messages written for log-ins
// suggest other ways to log in, which do not help a person who adds a campus address.
const toGeneralRateLimitProblem = (refusal: unknown): unknown =>
  refusal instanceof Problem && refusal.code === 'rate_limited' && refusal.retryAfter !== undefined
    ? createProblem('rate_limited', { retryAfter: refusal.retryAfter, resendAfter: refusal.resendAfter })
    : refusal;

/** Returns what to advise the owner of an address that cannot be added, or undefined when it can be. */
const findAdvice = async (
  app: App,
  tx: Queryable,
  email: string,
): Promise<CampusAddressAdvice | undefined> => {
  // Always run both queries, so that the response time does not reveal which of them found the address.
  const conflict = await findAddressConflict(tx, app.config.campus, email);
  const isSuspended = await isAddressSuspended(app, tx, email);
  if (isSuspended || conflict?.suspended_at) return 'support';
  // Deleting the account would free the address and let the badge that was removed return.
  if (conflict?.badge_removed_at) return conflict.is_login_address ? 'support' : 'sign_up';
  return conflict && 'log_in';
};

/**
 * Locks the person's row until the transaction ends. Throws when the person is already verified, logs in with a campus
 * address, or had the badge removed by an administrator.
 */
const assertMayAdd = async ({ config }: App, tx: Queryable, userId: string): Promise<void> => {
  const badge = await findAndLockBadgeEligibility(tx, userId);
  if (!badge) throw createProblem('not_authenticated');
  if (badge.badge_removed_at) throw createProblem('badge_removed');
  if (badge.usc_verified || isCampusEmail(config.campus, badge.email))
    throw createProblem('already_verified');
};

/**
 * Mails a code to the campus address. If the address is unavailable, mails an explanation to it instead of a code. Only
 * the owner of the mailbox can tell the difference, because the server does the same work and sends the same response in
 * both cases. Throws sign_on_required where the university's sign-on replaces codes.
 */
export const requestCampusCode = async (
  app: App,
  { userId, address }: { userId: string; address: string },
  email: string,
): Promise<void> => {
  const { mail: mailer } = app;
  assertOtherLogInAllowed(app, email);
  mailer.assertSending();
  const counted = await countCampusCodeRequest(app, { userId, address, email }).catch((refusal) => {
    throw toGeneralRateLimitProblem(refusal);
  });
  const key = toCampusCodeKey(userId);
  await runInTransaction(app.sql, async (tx) => {
    await assertMayAdd(app, tx, userId);
    const advice = await findAdvice(app, tx, email);
    const { code, expiresAt } = advice
      ? await issueDecoyCode(app, tx, key)
      : await issueCode(app, tx, key, 'otp', { boundTo: email });
    await saveUnverifiedAddress(tx, { userId, email, now: app.clock.now() });
    const mail = { to: email, expiresAt: expiresAt.toISOString() };
    await (advice
      ? mailer.send(tx, { kind: 'campus_address_taken', ...mail, advice })
      : mailer.send(tx, { kind: 'campus_code', ...mail, code }));
  }).catch(async (refusal) => {
    await counted.notSent();
    throw toGeneralRateLimitProblem(refusal);
  });
};

/**
 * Verifies the campus address to which this code was sent and grants the badge. If the address had been added to another
 * account, it moves to this one. Does nothing when the account already has a verified address, so that a repeated request
 * succeeds.
 */
export const verifyCampusCode = async (app: App, userId: string, code: string): Promise<void> => {
  const added = await findAddedCampusAddress(app.sql, userId);
  if (!added) throw createProblem('code_invalid');
  if (added.verified_at) return;
  const { email } = added;
  assertOtherLogInAllowed(app, email);
  const verdict = await redeemCode(app, toCampusCodeKey(userId), code, { known: false, boundTo: email });
  if (verdict.outcome === 'wrong') await noteSecurityEvent(app, { event: 'campus_code_refused', userId });
  if (verdict.outcome !== 'right') throw toGeneralRateLimitProblem(toVerificationCodeProblem(verdict));
  await runInTransaction(app.sql, async (tx) => {
    await transferCampusAddress(app, tx, email, { userId, logsInWithAddress: false });
    await assertMayAdd(app, tx, userId);
    if (await findAdvice(app, tx, email)) throw createProblem('campus_address_taken');
    if (!(await verifyCampusAddress(tx, { userId, email, now: app.clock.now() })))
      throw createProblem('code_invalid');
    if (!(await confirmMembership(app, tx, userId, 'address')))
      throw createProblem('membership_unconfirmable');
    await noteSecurityEvent(app, { event: 'campus_address_added', userId }, tx);
  });
  await invalidateSellerPages(app, userId);
};

/**
 * Removes the campus address and, if the address was verified, also the badge. The counts toward the code limits are
 * kept, so that removing the address does not reset them. Throws badge_removed for a verified address when an
 * administrator removed the badge; otherwise, the person could add the address to another account.
 */
export const removeCampusAddress = async (app: App, userId: string): Promise<void> => {
  const lostBadge = await runInTransaction(app.sql, async (tx) => {
    const badge = await findAndLockBadgeEligibility(tx, userId);
    if (badge?.badge_removed_at && (await findAddedCampusAddress(tx, userId))?.verified_at)
      throw createProblem('badge_removed');
    const removed = await removeAddedCampusAddress(tx, { userId, now: app.clock.now() });
    if (removed) await forgetMembership(app, tx, userId);
    if (removed) await noteSecurityEvent(app, { event: 'campus_address_removed', userId }, tx);
    return removed;
  });
  if (lostBadge) await invalidateSellerPages(app, userId);
};
