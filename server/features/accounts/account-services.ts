import type { Campus } from '#contract/campus.ts';
import type { AuditTrail } from '#server/features/audit/public.ts';
import type { Notifier } from '#server/features/notifications/public.ts';
import type { Mailer } from '#server/mail/public.ts';
import type { PageInvalidation } from '#server/pages/public.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Log } from '#server/platform/process/log.ts';
import type { RateLimits } from '#server/platform/rate-limits.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { createAccessTokenService } from './access-tokens.ts';
import { createCampusAddressService } from './campus-address-service.ts';
import { createCampusAddressTransfer } from './campus-address-transfer.ts';
import { createCodeService } from './codes.ts';
import { createDeviceService } from './devices.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createPasswordService } from './password-service.ts';
import { createReauthenticationService } from './reauthentication.ts';
import { createRecoveryCodeService } from './recovery-codes.ts';
import { createSecondFactorService } from './second-factor-service.ts';
import { createAccountService } from './service.ts';
import { createSessionListService } from './session-list.ts';
import { createSessionService } from './sessions.ts';
import { createSigningKeyStore } from './signing-key-service.ts';
import { createSuspendedAddressService } from './suspended-addresses.ts';

interface AccountServicesDeps {
  audit: Pick<AuditTrail, 'note'>;
  sql: Sql;
  clock: Clock;
  bus: Bus;
  mailer: Mailer;
  invalidation: Pick<PageInvalidation, 'profileChanged' | 'sellerChanged'>;
  rateLimits: RateLimits;
  secrets: Secrets;
  /** Lifts an account's suspension if the end of the suspension has passed. Returns whether it was lifted. */
  liftEndedSuspension: (userId: string) => Promise<boolean>;
  campus: Campus;
  /** Whether only people with a campus email address may sign up. */
  campusOnly: boolean;
  publicUrl: string;
  notify: Notifier;
  log?: Pick<Log, 'warn'> | undefined;
}

/** Creates the services for accounts and sessions and connects those that depend on each other. */
export const createAccountServices = (deps: AccountServicesDeps) => {
  const { sql, clock, bus, mailer, invalidation, rateLimits, secrets, campus, campusOnly, publicUrl } = deps;
  const { audit, notify, liftEndedSuspension, log } = deps;
  const signingKeys = createSigningKeyStore({ sql, clock, pepper: secrets.pepper, log }, secrets.earlierKeys);
  const tokens = createAccessTokenService(signingKeys, `${publicUrl}/auth/v1`, clock);
  const sessions = createSessionService({ sql, clock, bus, tokens, audit });
  const codes = createCodeService({ clock, pepper: secrets.pepper, campus });
  const devices = createDeviceService({ sql, clock, notify });
  const throttle = createLoginThrottle({ rateLimits, devices, campus });
  const transfer = createCampusAddressTransfer({ clock, mailer, audit, campus });
  const suspendedAddresses = createSuspendedAddressService({ clock, pepper: secrets.pepper, campus });
  const accounts = createAccountService({
    sql,
    clock,
    mailer,
    invalidation,
    codes,
    sessions,
    throttle,
    transfer,
    checkSuspension: suspendedAddresses.assertNotSuspended,
    liftEndedSuspension,
    campus,
    campusOnly,
    audit,
  });
  const reauthentication = createReauthenticationService({ sql, clock });
  const passwords = createPasswordService({
    sql,
    clock,
    mailer,
    sessions,
    reauthentication,
    throttle,
    devices,
    transfer,
    checkSuspension: suspendedAddresses.assertNotSuspended,
    invalidation,
    campus,
    audit,
    notify,
  });
  const campusAddresses = createCampusAddressService({
    sql,
    clock,
    mailer,
    codes,
    throttle,
    transfer,
    suspendedAddresses,
    invalidation,
    audit,
    campus,
  });
  const factorDeps = {
    sql,
    clock,
    bus,
    pepper: secrets.pepper,
    audit,
    notify,
    sessions,
    reauthentication,
    issuer: campus.siteName,
  };
  const secondFactors = createSecondFactorService(factorDeps);
  const recoveryCodes = createRecoveryCodeService(factorDeps);
  return {
    accounts,
    passwords,
    campusAddresses,
    sessions,
    tokens,
    devices,
    signingKeys,
    reauthentication,
    sessionList: createSessionListService({ sql, clock, bus, audit }),
    secondFactors,
    recoveryCodes,
  };
};

export type AccountServices = ReturnType<typeof createAccountServices>;
