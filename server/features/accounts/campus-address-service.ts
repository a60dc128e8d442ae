import { type Campus, isCampusEmail } from '#contract/campus.ts';
import { createProblem, Problem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { CampusAddressAdvice, Mailer } from '#server/mail/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import { type Queryable, runInTransaction, type Sql } from '#server/platform/postgres/database.ts';
import {
  findAddedCampusAddress,
  findAddressConflict,
  findAndLockBadgeEligibility,
  removeAddedCampusAddress,
  saveUnverifiedAddress,
  verifyCampusAddress,
} from './campus-address-repository.ts';
import type { CampusAddressTransfer } from './campus-address-transfer.ts';
import { type CodeService, toCampusCodeKey, toVerificationCodeProblem } from './codes.ts';
import type { LoginThrottle } from './login-throttle.ts';
import type { SuspendedAddressService } from './suspended-addresses.ts';

interface CampusAddressDeps {
  sql: Sql;
  clock: Clock;
  mailer: Pick<Mailer, 'assertSending' | 'sendCampusCode' | 'sendCampusAddressTaken'>;
  codes: CodeService;
  throttle: Pick<LoginThrottle, 'beginCampusCode'>;
  transfer: CampusAddressTransfer;
  suspendedAddresses: Pick<SuspendedAddressService, 'isSuspended'>;
  invalidation: Pick<PageInvalidation, 'sellerChanged'>;
  audit: Pick<AuditTrail, 'note'>;
  campus: Campus;
}

// Replaces the message of a rate limit with the general one: the messages written for log-ins
// suggest other ways to log in, which do not help a person who adds a campus address.
const toGeneralRateLimitProblem = (refusal: unknown): unknown =>
  refusal instanceof Problem && refusal.code === 'rate_limited' && refusal.retryAfter !== undefined
    ? createProblem('rate_limited', { retryAfter: refusal.retryAfter })
    : refusal;

/**
 * Creates the service with which a person adds a campus email address to an account that logs in
 * with another address, and thereby earns the verified badge (docs/decisions/0036).
 */
export const createCampusAddressService = (deps: CampusAddressDeps) => {
  const { sql, clock, mailer, codes, throttle, transfer, invalidation, audit, campus } = deps;

  /** Returns what to advise the owner of an address that cannot be added, or undefined when it can be. */
  const findAdvice = async (tx: Queryable, email: string): Promise<CampusAddressAdvice | undefined> => {
    // Always run both queries, so that the response time does not reveal which of them found the address.
    const conflict = await findAddressConflict(tx, campus, email);
    const isSuspended = await deps.suspendedAddresses.isSuspended(tx, email);
    if (isSuspended || conflict?.suspended_at) return 'support';
    // Deleting the account would free the address and let the badge that was removed return.
    if (conflict?.badge_removed_at) return conflict.is_login_address ? 'support' : 'sign_up';
    return conflict && 'log_in';
  };

  /**
   * Locks the person's row until the transaction ends. Throws when the person is already verified,
   * logs in with a campus address, or had the badge removed by an administrator.
   */
  const assertMayAdd = async (tx: Queryable, userId: string): Promise<void> => {
    const badge = await findAndLockBadgeEligibility(tx, userId);
    if (!badge) throw createProblem('not_authenticated');
    if (badge.badge_removed_at) throw createProblem('badge_removed');
    if (badge.usc_verified || isCampusEmail(campus, badge.email)) throw createProblem('already_verified');
  };

  return {
    /**
     * Mails a code to the campus address. If the address is unavailable, mails an explanation to it
     * instead of a code. Only the owner of the mailbox can tell the difference, because the server
     * does the same work and sends the same response in both cases.
     */
    requestCode: async (
      { userId, address }: { userId: string; address: string },
      email: string,
    ): Promise<void> => {
      mailer.assertSending();
      const counted = await throttle.beginCampusCode({ userId, address, email }).catch((refusal) => {
        throw toGeneralRateLimitProblem(refusal);
      });
      const key = toCampusCodeKey(userId);
      await runInTransaction(sql, async (tx) => {
        await assertMayAdd(tx, userId);
        const advice = await findAdvice(tx, email);
        const { code, expiresAt } = advice
          ? await codes.issueDecoy(tx, key)
          : await codes.issue(tx, key, 'otp', { boundTo: email });
        await saveUnverifiedAddress(tx, { userId, email, now: clock.now() });
        const mail = { to: email, expiresAt: expiresAt.toISOString() };
        await (advice
          ? mailer.sendCampusAddressTaken(tx, { ...mail, advice })
          : mailer.sendCampusCode(tx, { ...mail, code }));
      }).catch(async (refusal) => {
        await counted.notSent();
        throw toGeneralRateLimitProblem(refusal);
      });
    },

    /**
     * Verifies the campus address to which this code was sent and grants the badge. If the address
     * had been added to another account, it moves to this one. Does nothing when the account
     * already has a verified address, so that a repeated request succeeds.
     */
    verify: async (userId: string, code: string): Promise<void> => {
      const added = await findAddedCampusAddress(sql, userId);
      if (!added) throw createProblem('code_invalid');
      if (added.verified_at) return;
      const { email } = added;
      const verdict = await codes.redeem(sql, toCampusCodeKey(userId), code, {
        known: false,
        boundTo: email,
      });
      if (verdict.outcome === 'wrong') await audit.note({ event: 'campus_code_refused', userId });
      if (verdict.outcome !== 'right') throw toGeneralRateLimitProblem(toVerificationCodeProblem(verdict));
      const previousHolder = await runInTransaction(sql, async (tx) => {
        const holder = await transfer(tx, email, { userId, logsInWithAddress: false });
        await assertMayAdd(tx, userId);
        if (await findAdvice(tx, email)) throw createProblem('campus_address_taken');
        if (!(await verifyCampusAddress(tx, { userId, email, now: clock.now() })))
          throw createProblem('code_invalid');
        await audit.note({ event: 'campus_address_added', userId }, tx);
        return holder;
      });
      await invalidation.sellerChanged(userId);
      if (previousHolder !== undefined) await invalidation.sellerChanged(previousHolder);
    },

    /**
     * Removes the campus address and, if the address was verified, also the badge. The counts
     * toward the code limits are kept, so that removing the address does not reset them. Throws
     * badge_removed for a verified address when an administrator removed the badge; otherwise, the
     * person could add the address to another account.
     */
    remove: async (userId: string): Promise<void> => {
      const lostBadge = await runInTransaction(sql, async (tx) => {
        const badge = await findAndLockBadgeEligibility(tx, userId);
        if (badge?.badge_removed_at && (await findAddedCampusAddress(tx, userId))?.verified_at)
          throw createProblem('badge_removed');
        const removed = await removeAddedCampusAddress(tx, { userId, now: clock.now() });
        if (removed) await audit.note({ event: 'campus_address_removed', userId }, tx);
        return removed;
      });
      if (lostBadge) await invalidation.sellerChanged(userId);
    },
  };
};

export type CampusAddressService = ReturnType<typeof createCampusAddressService>;
