import type { Campus } from '#contract/campus.ts';
import type { Audit } from '#server/audit/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { RateLimits } from '#server/platform/rate-limits.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createCodes } from './codes.ts';
import { createDevices } from './devices.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createPasswords } from './password-service.ts';
import { createAccounts } from './service.ts';
import { createSessions } from './sessions.ts';
import { createSigningKeys } from './signing-key-service.ts';

interface AccountParts {
  audit: Pick<Audit, 'note'>;
  sql: Sql;
  clock: Clock;
  bus: Bus;
  mailer: Mailer;
  invalidation: Pick<PageInvalidation, 'profileChanged'>;
  rateLimits: RateLimits;
  secrets: Secrets;
  campus: Campus;
  /** Whether only campus addresses may sign up. */
  campusOnly: boolean;
  publicUrl: string;
}

/** Creates the services for accounts and sessions, which depend on one another. */
export const createAccountServices = (parts: AccountParts) => {
  const { sql, clock, bus, mailer, invalidation, rateLimits, secrets, campus, campusOnly, publicUrl, audit } =
    parts;
  const signingKeys = createSigningKeys({ sql, clock, pepper: secrets.pepper }, secrets.earlierKeys);
  const tokens = createAccessTokens(signingKeys, `${publicUrl}/auth/v1`, clock);
  const sessions = createSessions({ sql, clock, bus, tokens, audit });
  const codes = createCodes({ clock, pepper: secrets.pepper });
  const devices = createDevices({ sql, clock });
  const throttle = createLoginThrottle({ rateLimits, devices });
  const accounts = createAccounts({
    sql,
    clock,
    mailer,
    invalidation,
    codes,
    sessions,
    throttle,
    campus,
    campusOnly,
    audit,
  });
  const passwords = createPasswords({ sql, clock, mailer, sessions, throttle, devices, campus, audit });
  return { accounts, passwords, sessions, tokens, devices, signingKeys };
};

export type AccountServices = ReturnType<typeof createAccountServices>;
