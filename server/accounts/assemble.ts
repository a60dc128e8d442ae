import type { FastifyInstance } from 'fastify';
import type { Campus } from '#contract/campus.ts';
import type { Audit } from '#server/audit/service.ts';
import type { RateLimits } from '#server/http/rate-limits.ts';
import type { HttpDeps } from '#server/http/serve.ts';
import type { Authenticate } from '#server/http/sessions.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import type { PageInvalidation } from '#server/pages/page-invalidation.ts';
import type { Bus } from '#server/platform/bus/bus.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Secrets } from '#server/platform/secrets.ts';
import { createAccessTokens } from './access-tokens.ts';
import { createCodes } from './codes.ts';
import { createDevices } from './devices.ts';
import { gotrueRoutes } from './gotrue-routes.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { accountRoutes } from './routes.ts';
import { createAccounts } from './service.ts';
import { createSessions } from './sessions.ts';
import { openSigningKeys } from './signing-key-service.ts';

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
  campusOnly: boolean;
  publicUrl: string;
}

/** Creates the account and session services; other features only need to identify the caller. */
export const createAccountServices = async (
  parts: AccountParts,
): Promise<{
  authenticate: Authenticate;
  findDeviceOwner: (hash: Buffer) => Promise<string | undefined>;
  listEndedSessions: (ids: readonly string[]) => Promise<string[]>;
  routes: (app: FastifyInstance, http: HttpDeps) => void;
  close(): void;
}> => {
  const { sql, clock, bus, mailer, invalidation, rateLimits, secrets, campus, campusOnly, publicUrl, audit } =
    parts;
  const signingKeys = await openSigningKeys({ sql, clock, pepper: secrets.pepper }, secrets.earlierKeys);
  const tokens = createAccessTokens(signingKeys, `${publicUrl}/auth/v1`, clock);
  const sessions = createSessions({ sql, clock, bus, tokens, audit });
  const codes = createCodes({ clock, pepper: secrets.pepper });
  const devices = createDevices({ sql, clock });
  const accounts = createAccounts({
    sql,
    clock,
    mailer,
    invalidation,
    codes,
    sessions,
    throttle: createLoginThrottle({ rateLimits, devices }),
    devices,
    campus,
    campusOnly,
    audit,
  });
  return {
    authenticate: sessions.authenticate,
    findDeviceOwner: devices.findOwner,
    listEndedSessions: sessions.listEnded,
    routes: (app, http) => {
      accountRoutes(app, http, accounts);
      gotrueRoutes(app, { ...http, accounts, sessions, tokens });
    },
    close: sessions.close,
  };
};
