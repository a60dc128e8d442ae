import { randomInt } from 'node:crypto';

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const suffixLength = 6;
const longestStem = 60;

/** The readable part of a listing's address: ASCII letters and digits of the title. */
export const slugStem = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestStem)
    .replace(/^-+|-+$/g, '') || 'listing';

/** An address for a listing of this title: two of a thousand equal titles hardly ever meet, and no two may. */
export const makeSlug = (title: string | null): string => {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${slugStem(title ?? 'draft')}-${suffix}`;
};
