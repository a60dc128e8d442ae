import { expect, test } from 'vitest';
import { withRecentSearch } from './recent-searches.ts';
import { listSuggestions, omitSellers } from './suggestions.ts';

const toSuggestedListing = (title: string) => ({
  title,
  slug: title.toLowerCase().replaceAll(' ', '-'),
  user_id: 'seller',
});
const formatSuggestions = (text: string, recent: string[], titles: string[]) =>
  listSuggestions(text, { recent, found: titles.map(toSuggestedListing), mascot: 'Trojan' }).map((line) => {
    if ('category' in line) return `in ${line.label}`;
    return 'search' in line ? `"${line.search}"` : line.title;
  });

test('an empty text suggests earlier searches, or categories if there are none', () => {
  expect(formatSuggestions('  ', ['lamp', 'bike'], ['Desk lamp'])).toEqual(['"lamp"', '"bike"']);
  expect(formatSuggestions('', [], ['Desk lamp'])).toEqual([
    'in Game Day',
    'in Merch',
    'in Furniture',
    'in Rentals',
    'in Textbooks',
    'in Electronics',
  ]);
});

test('a text suggests earlier searches and titles that contain it, and nothing else', () => {
  expect(formatSuggestions('LA', ['lamp', 'bike', 'la'], ['Cooler', 'Desk lamp', 'Large lantern'])).toEqual([
    '"lamp"',
    '"la"',
    'Desk lamp',
    'Large lantern',
  ]);
  expect(formatSuggestions('lamp', ['lamp'], [])).toEqual([]);
});

test('a text first suggests categories with a word that begins with the text', () => {
  expect(formatSuggestions('fur', ['fur coat'], ['Furniture set'])).toEqual([
    'in Furniture',
    '"fur coat"',
    'Furniture set',
  ]);
  expect(formatSuggestions('merch', [], [])).toEqual(['in Merch', 'in Trojan Merch']);
  expect(formatSuggestions('urnit', [], [])).toEqual([]);
  expect(formatSuggestions('GAME d', [], [])).toEqual(['in Game Day']);
});

test('titles of blocked sellers are omitted, and a title used by several sellers is suggested only once', () => {
  const toListing = (slug: string, title: string) => ({ title, slug, user_id: slug.slice(0, 3) });
  const found = [toListing('bob-1', 'Bike'), toListing('ann-1', 'BIKE'), toListing('sue-1', 'Bike')];
  expect(omitSellers(found, ['bob'])).toEqual([toListing('ann-1', 'BIKE')]);
  expect(omitSellers(found, [])).toEqual([toListing('bob-1', 'Bike')]);
  expect(omitSellers(found, ['bob', 'ann', 'sue'])).toEqual([]);
});

test('lists at most six suggestions, of which up to four are titles', () => {
  const recent = ['a1', 'a2', 'a3', 'a4', 'a5', 'a6'];
  const titles = ['A one', 'A two', 'A three', 'A four', 'A five', 'A six'];
  expect(formatSuggestions('a', recent, titles)).toEqual([
    '"a1"',
    '"a2"',
    'A one',
    'A two',
    'A three',
    'A four',
  ]);
  expect(formatSuggestions('a', recent, [])).toHaveLength(6);
});

test('titles that do not contain the text do not displace earlier searches', () => {
  const recent = ['a1', 'a2', 'a3'];
  const titles = ['Bike', 'Cooler', 'Desk', 'Couch', 'Mirror', 'A one'];
  expect(formatSuggestions('a', recent, titles)).toEqual(['"a1"', '"a2"', '"a3"', 'A one']);
});

test('a repeated search moves to the front, and at most six are stored', () => {
  expect(withRecentSearch(['lamp', 'bike'], 'BIKE')).toEqual(['BIKE', 'lamp']);
  expect(withRecentSearch(['1', '2', '3', '4', '5', '6'], '7')).toEqual(['7', '1', '2', '3', '4', '5']);
});
