import { dictionary } from '@zxcvbn-ts/language-common';
import { createProblem, errorCatalog } from '#contract/errors.ts';

/** The most frequently leaked passwords: about 49,000 in lower case, including the 10,000 most common. */
const commonPasswords = new Set<string>(dictionary['passwords-common']);

/**
 * Returns the password in lower case and without leading and trailing symbols. Capital letters and
 * such symbols are the most common changes to a leaked password and do not make it harder to guess.
 */
const normalizePassword = (password: string): string =>
  /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(password.normalize('NFKC').toLowerCase())?.[0] ?? '';

/** Returns whether the password is among those that attackers try first. */
export const isCommonPassword = (password: string): boolean =>
  commonPasswords.has(password.toLowerCase()) || commonPasswords.has(normalizePassword(password));

/** Throws weak_password for a password among those that attackers try first. */
export const assertNotCommonPassword = (password: string): void => {
  if (!isCommonPassword(password)) return;
  throw createProblem('weak_password', { fields: { password: errorCatalog.weak_password.sentence } });
};
