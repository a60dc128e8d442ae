import { resendCooldownSeconds } from '#contract/accounts.ts';
import { type Campus, isCampusEmail } from '#contract/campus.ts';
import { createProblem } from '#contract/errors.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { findAccount, lockAccount } from './account-repository.ts';
import { insertAccountWithoutPassword } from './administration-repository.ts';
import { createCampusAddressTransfer } from './campus-address-transfer.ts';
import { createCodeService } from './codes.ts';
import { confirmOwnedAccount } from './confirm.ts';
import { findMailboxAccount } from './mailbox-repository.ts';
import { createMissingAccountProblem } from './missing-account.ts';
import { createResetLinkService } from './reset-links.ts';
import { createSuspendedAddressService } from './suspended-addresses.ts';

interface AdministrationDeps {
  sql: Sql;
  clock: Clock;
  pepper: Buffer;
  mailer: Pick<Mailer, 'sendSignupCode' | 'sendResetLink' | 'sendCampusAddressMoved'>;
  invalidation: Pick<PageInvalidation, 'profileChanged' | 'sellerChanged'>;
  audit: Pick<AuditTrail, 'note'>;
  notify: Notifier;
  campus: Campus;
  /** Whether only people with a campus email address may sign up. */
  campusOnly: boolean;
}

/** The account that an administrator's command refers to. */
interface TargetAccount {
  id: string;
  email: string;
}

/**
 * Creates the service with which administrators create accounts and help people who cannot log in. Administrators never
 * see a password.
 */
export const createAccountAdministrationService = (deps: AdministrationDeps) => {
  const { sql, clock, pepper, mailer, invalidation, audit, notify, campus, campusOnly } = deps;
  const codes = createCodeService({ clock, pepper, campus });
  const resetLinks = createResetLinkService({ clock, mailer });
  const transfer = createCampusAddressTransfer({ clock, mailer, audit, campus });
  const suspendedAddresses = createSuspendedAddressService({ clock, pepper, campus });

  return {
    /**
     * Creates an account without a password, mails its owner a code to sign in with, and returns
     * the account id. Throws account_exists when the email address or its mailbox already has an account, and
     * campus_address_required when only campus email addresses may sign up and this is not one.
     */
    create: async (email: string): Promise<string> => {
      if (campusOnly && !isCampusEmail(campus, email)) throw createProblem('campus_address_required');
      return sql.begin(async (tx) => {
        if (await findMailboxAccount(tx, campus, email)) throw createProblem('account_exists');
        const userId = await insertAccountWithoutPassword(tx, { email, now: clock.now() });
        if (userId === undefined) throw createProblem('account_exists');
        await audit.note({ event: 'account_created', userId }, tx);
        const { code, expiresAt } = await codes.issue(tx, email, 'signup');
        await mailer.sendSignupCode(tx, { to: email, code, expiresAt: expiresAt.toISOString() });
        return userId;
      });
    },

    /**
     * Confirms the email address of an account without a code. Clears the password and the name, because the person
     * who signed up may not own the address, and tells the owner by email how to log in. If the address belonged to a
     * suspended account that was deleted, the suspension no longer applies to it. Returns false when the address was
     * already confirmed. Throws account_exists when its mailbox has another confirmed account.
     */
    confirm: async (account: TargetAccount): Promise<boolean> => {
      const { id: userId } = account;
      const confirmed = await sql.begin(async (tx) => {
        if (!(await lockAccount(tx, userId)) || (await findAccount(tx, userId))?.confirmed_at)
          return undefined;
        const confirmation = { campus, transfer, checkSuspension: suspendedAddresses.forget };
        const previousHolder = await confirmOwnedAccount(tx, confirmation, account, { now: clock.now() });
        await audit.note({ event: 'account_confirmed', userId }, tx);
        const facts = { at: clock.now().toISOString() };
        await notify(tx, 'account_confirmed', [{ subjectId: null, facts, userIds: [userId] }]);
        return { previousHolder };
      });
      if (!confirmed) return false;
      await invalidation.profileChanged(userId);
      if (confirmed.previousHolder !== undefined) await invalidation.sellerChanged(confirmed.previousHolder);
      return true;
    },

    /**
     * Mails a link with which the owner sets a new password. Throws rate_limited within 30 s of the
     * previous link, campus_address_required when the account does not log in with a campus email address, and
     * account_not_found when it has been deleted in the meantime.
     */
    sendReset: async ({ id: userId, email }: TargetAccount): Promise<void> => {
      if (!isCampusEmail(campus, email)) throw createProblem('campus_address_required');
      await sql.begin(async (tx) => {
        await audit.note({ event: 'reset_link_sent', userId }, tx);
        if (!(await resetLinks.send(tx, email))) {
          throw (await findAccount(tx, userId))
            ? createProblem('rate_limited', { retryAfter: resendCooldownSeconds })
            : createMissingAccountProblem();
        }
      });
    },
  };
};

export type AccountAdministrationService = ReturnType<typeof createAccountAdministrationService>;
