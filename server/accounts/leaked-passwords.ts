import { dictionary } from '@zxcvbn-ts/language-common';

/** What leaked most often: some 49,000 passwords in small letters, the 10,000 commonest among them. */
const common = new Set<string>(dictionary['passwords-common']);

/** Capitals and a sign before or behind are what everyone adds first: they make no password uncommon. */
const bare = (password: string): string =>
  password
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** Whether the password is among those an attacker tries first. */
export const isCommonPassword = (password: string): boolean =>
  common.has(password.toLowerCase()) || common.has(bare(password));
