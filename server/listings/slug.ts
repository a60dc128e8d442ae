import { randomInt } from 'node:crypto';

const alphabet = 'abcdefghijkmnpqrstuvwxyz23456789';
const suffixLength = 6;
const longestStem = 60;

/** Returns the readable part of a slug: the ASCII letters and digits of the title. */
export const slugStem = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longestStem)
    .replace(/^-+|-+$/g, '') || 'listing';

/** Returns a slug for a title. Collisions are unlikely even among a thousand equal titles; the database refuses them. */
export const makeSlug = (title: string | null): string => {
  const suffix = Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${slugStem(title ?? 'draft')}-${suffix}`;
};
