import type { App } from '#server/app.ts';
import { confirmWithoutCode, createAccount, sendResetLink } from './account-administration.ts';
import {
  endAccountSessions,
  getAccountSummary,
  maxFoundAccounts,
  searchAccounts,
  setAccountVerified,
} from './account-moderation.ts';
import { liftSuspension, liftSuspensionWithin, suspendAccount, suspendAccountWithin } from './suspensions.ts';

// Legacy: remove with the last factory that takes these services.
type Rest<F> = F extends (app: App, ...rest: infer Args) => unknown ? Args : never;
type Bound<F extends (...args: never) => unknown> = (...rest: Rest<F>) => ReturnType<F>;

export interface AccountModeration {
  find: Bound<typeof searchAccounts>;
  maxListed: number;
  get: Bound<typeof getAccountSummary>;
  suspend: Bound<typeof suspendAccount>;
  lift: Bound<typeof liftSuspension>;
  setVerified: Bound<typeof setAccountVerified>;
  endSessions: Bound<typeof endAccountSessions>;
  suspendWithin(...args: Rest<typeof suspendAccountWithin>): Promise<() => Promise<void>>;
  liftWithin(...args: Rest<typeof liftSuspensionWithin>): Promise<() => Promise<void>>;
}
export const createAccountModeration = (app: App): AccountModeration => ({
  find: (text) => searchAccounts(app, text),
  maxListed: maxFoundAccounts,
  get: (name) => getAccountSummary(app, name),
  suspend: (name, options) => suspendAccount(app, name, options),
  lift: (name, record) => liftSuspension(app, name, record),
  setVerified: (name, verified) => setAccountVerified(app, name, verified),
  endSessions: (name) => endAccountSessions(app, name),
  suspendWithin: async (...args) => {
    await suspendAccountWithin(app, ...args);
    return async () => {};
  },
  liftWithin: async (...args) => {
    await liftSuspensionWithin(app, ...args);
    return async () => {};
  },
});

export interface AccountAdministrationService {
  create: Bound<typeof createAccount>;
  confirm: Bound<typeof confirmWithoutCode>;
  sendReset: Bound<typeof sendResetLink>;
}
export const createAccountAdministrationService = (app: App): AccountAdministrationService => ({
  create: (email) => createAccount(app, email),
  confirm: (account) => confirmWithoutCode(app, account),
  sendReset: (account) => sendResetLink(app, account),
});
