import { resendCooldownSeconds } from '#contract/accounts.ts';
import { type Campus, isCampusAddress } from '#contract/campus.ts';
import { problem } from '#contract/errors.ts';
import type { Audit } from '#server/audit/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { insertInvited } from './administration-repository.ts';
import { createCodes } from './codes.ts';
import { confirm } from './confirm.ts';
import { createResetLinks } from './reset-links.ts';

interface AdministrationDeps {
  sql: Sql;
  clock: Clock;
  pepper: Buffer;
  mailer: Pick<Mailer, 'sendSignupCode' | 'sendResetLink'>;
  invalidation: Pick<PageInvalidation, 'profileChanged'>;
  audit: Pick<Audit, 'note'>;
  campus: Campus;
  /** Whether only campus addresses may sign up. */
  campusOnly: boolean;
}

/** The account that an administrator named. */
interface Named {
  id: string;
  email: string;
  confirmed_at: Date | null;
}

/** Creates the service with which administrators manage access to accounts; they never see a password. */
export const createAdministration = (deps: AdministrationDeps) => {
  const { sql, clock, pepper, mailer, invalidation, audit, campus, campusOnly } = deps;
  const codes = createCodes({ clock, pepper });
  const resetLinks = createResetLinks({ clock, mailer });

  return {
    /**
     * Creates an account without a password and mails its owner a code to sign in with; returns the id. Refuses an
     * address that has an account, or that may not sign up.
     */
    create: async (email: string): Promise<string> => {
      if (campusOnly && !isCampusAddress(campus, email)) throw problem('campus_address_required');
      return sql.begin(async (tx) => {
        const userId = await insertInvited(tx, { email, now: clock.now() });
        if (userId === undefined) throw problem('account_exists');
        await audit.note({ event: 'account_created', userId }, tx);
        const { code, expiresAt } = await codes.issue(tx, email, 'signup');
        await mailer.sendSignupCode(tx, { to: email, code, expiresAt: expiresAt.toISOString() });
        return userId;
      });
    },

    /**
     * Confirms the address of an account in place of a code. The person who signed up may not own it, so password and
     * name are cleared. Returns false when it was confirmed already.
     */
    confirm: async (account: Named): Promise<boolean> => {
      const { id: userId, confirmed_at: confirmedAt } = account;
      if (confirmedAt) return false;
      await sql.begin(async (tx) => {
        await confirm(tx, campus, account, { now: clock.now() });
        await audit.note({ event: 'account_confirmed', userId }, tx);
      });
      await invalidation.profileChanged(userId);
      return true;
    },

    /** Mails a link that sets a new password. Refused within 30 s of the previous one, and for other domains. */
    sendReset: async ({ id: userId, email }: Named): Promise<void> => {
      if (!isCampusAddress(campus, email)) throw problem('campus_address_required');
      await sql.begin(async (tx) => {
        await audit.note({ event: 'reset_link_sent', userId }, tx);
        if (!(await resetLinks.send(tx, email))) {
          throw problem('rate_limited', { retryAfter: resendCooldownSeconds });
        }
      });
    },
  };
};

export type Administration = ReturnType<typeof createAdministration>;
