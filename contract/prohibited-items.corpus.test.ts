import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type CheckedListing, findGuidelineViolations } from './prohibited-items.ts';

/**
 * Listings as students write them, one per line: category, price, title, and sometimes description and location. The
 * headings of the prohibited ones name the guideline. The rules are tuned on one half. The other half only measures them:
 * whoever changes rules must not look at its lines.
 */
const readCorpus = (name: string) => {
  const text = readFileSync(new URL(`prohibited-items.corpus/${name}.txt`, import.meta.url), 'utf8');
  return text
    .split('\n# ')
    .flatMap((section) => {
      const [guideline = '', ...lines] = section.replace(/^# /, '').split('\n');
      return (text.startsWith('# ') ? lines : [guideline, ...lines]).map((line) => ({ guideline, line }));
    })
    .filter(({ line }) => line !== '');
};

const parseListing = (line: string): CheckedListing => {
  const [main = '', ...others] = line.split(' | ');
  const [, category = '', price, title = ''] = /^(\S+) (\d+) (.+)$/.exec(main) ?? [];
  const find = (field: string) => others.find((it) => it.startsWith(field))?.slice(field.length + 2) ?? null;
  return {
    title,
    category,
    price: Number(price),
    description: find('description'),
    location: find('location'),
    contact_email: null,
  };
};

const findClear = (line: string): string[] =>
  findGuidelineViolations(parseListing(line)).flatMap(({ guideline, isClear }) =>
    isClear ? [guideline] : [],
  );

describe.each(['tuning', 'held-out'])('in the %s half of the corpus', (half) => {
  test('at most 2 % of the harmless listings are refused or held', () => {
    const listings = readCorpus(`${half}-harmless`);
    expect(listings.length).toBeGreaterThanOrEqual(150);
    const stopped = listings.filter(({ line }) => findClear(line).length > 0);
    expect(stopped.length / listings.length).toBeLessThanOrEqual(0.02);
  });

  test('at least 90 % of the prohibited listings are caught, under the guideline that they violate', () => {
    const listings = readCorpus(`${half}-prohibited`);
    expect(listings.length).toBeGreaterThanOrEqual(75);
    const caught = listings.filter(({ guideline, line }) => findClear(line).includes(guideline));
    expect(caught.length / listings.length).toBeGreaterThanOrEqual(0.9);
  });
});
