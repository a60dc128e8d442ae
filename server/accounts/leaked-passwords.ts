import { dictionary } from '@zxcvbn-ts/language-common';
import { errorCatalogue, problem } from '#contract/errors.ts';

/** The most frequently leaked passwords: about 49,000 in lower case, including the 10,000 most common. */
const common = new Set<string>(dictionary['passwords-common']);

/** Capital letters and a symbol at either end are the most common variations, so they do not count. */
const bare = (password: string): string =>
  password
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** Returns whether the password is among those that attackers try first. */
export const isCommonPassword = (password: string): boolean =>
  common.has(password.toLowerCase()) || common.has(bare(password));

/** Throws weak_password for a password among those that attackers try first. */
export const refuseCommonPassword = (password: string): void => {
  if (!isCommonPassword(password)) return;
  throw problem('weak_password', { fields: { password: errorCatalogue.weak_password.sentence } });
};
