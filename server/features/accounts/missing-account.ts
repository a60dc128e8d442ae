import { createProblem, type Problem } from '#contract/errors.ts';

/** Returns account_not_found for the account of somebody else. The default sentence asks the caller to sign up. */
export const createMissingAccountProblem = (): Problem =>
  createProblem('account_not_found', { sentence: 'This account does not exist' });
