import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { maxSearchNameLength } from '#contract/saved-searches.ts';
import { describeFilters, isSameQuery, suggestSearchName } from './saved-search-query.ts';

test('the suggested name consists of the search text and the filters', () => {
  const suggest = (query: object) => suggestSearchName(query, defaultCampus);
  expect(suggest({ q: 'desk', max_price: 50 })).toBe('desk under $50');
  expect(suggest({ q: 'desk', category: 'furniture', min_price: 50, max_price: 100 })).toBe(
    'desk $50-$100, Furniture',
  );
  expect(suggest({ category: 'trojan-merch', min_price: 100 })).toBe('Trojan Merch from $100');
  expect(suggest({ category: 'textbooks', condition: 'good' })).toBe('Textbooks, Good');
  const long = suggest({ q: '😀'.repeat(300), max_price: 50 });
  expect([...long]).toHaveLength(maxSearchNameLength);
  expect(long).toMatch(/😀… under \$50$/);
});

test('the filters of a search are listed', () => {
  expect(describeFilters({ category: 'furniture', max_price: 80, verified: 'true' }, defaultCampus)).toEqual([
    'Furniture',
    '$0-$80',
    'Verified Sellers Only',
  ]);
  expect(describeFilters({ q: 'desk', max_price: 50 }, defaultCampus)).toEqual(['$0-$50']);
});

test('queries are equal regardless of key order and of keys that have no effect', () => {
  expect(
    isSameQuery({ q: 'desk', max_price: 50, location: '', verified: 'false' }, { max_price: 50, q: 'desk' }),
  ).toBe(true);
  expect(isSameQuery({ q: 'desk' }, { q: 'desk', max_price: 50 })).toBe(false);
});
