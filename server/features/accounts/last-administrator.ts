import { createProblem } from '#contract/errors.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import {
  hasOtherAdministrator,
  lockActiveAdministrator,
  lockAdministratorChanges,
} from './console-access-repository.ts';

/**
 * Throws last_administrator when an account is the only one that can grant roles. Call it in the transaction that
 * suspends, demotes or deletes the account: such transactions run one at a time.
 */
export const assertNotLastAdministrator = async (tx: Queryable, userId: string): Promise<void> => {
  if (!(await lockActiveAdministrator(tx, userId))) return;
  await lockAdministratorChanges(tx);
  if (!(await hasOtherAdministrator(tx, userId))) throw createProblem('last_administrator');
};
