import { createProblem } from '#contract/errors.ts';
import type { App } from '#server/app.ts';
import { invalidateProfilePages } from '#server/pages/public.ts';
import { type Account, findAccount, findAccountByEmail, setFullName } from './account-repository.ts';
import { findLoginAddress } from './mailbox-repository.ts';

/** Returns the account of a signed-in person. Throws not_authenticated when it has been deleted. */
export const getAccount = async ({ sql }: App, userId: string): Promise<Account> => {
  const account = await findAccount(sql, userId);
  if (!account) throw createProblem('not_authenticated');
  return account;
};

/**
 * Returns the account that logs in with an address of the same mailbox. Throws account_not_found when there is none.
 */
export const getAccountByEmail = async ({ sql, config }: App, email: string): Promise<Account> => {
  const account = await findAccountByEmail(sql, await findLoginAddress(sql, config.campus, email));
  if (!account) throw createProblem('account_not_found');
  return account;
};

/** Changes a person's name. */
export const renameAccount = async (app: App, userId: string, fullName: string): Promise<void> => {
  await setFullName(app.sql, { userId, fullName, now: app.clock.now() });
  await invalidateProfilePages(app, userId);
};
