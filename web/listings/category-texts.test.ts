import { expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { findCategoryTexts, toGenericHeading } from './category-texts.ts';

test('the four dedicated category pages have their own titles and empty-state texts, with the mascot', () => {
  const campus = { ...defaultCampus, mascot: 'Bruin' };
  const said = ['game-day', 'merchandise', 'rentals', 'furniture'].map((slug) => {
    const texts = findCategoryTexts(slug, campus);
    return [texts?.title, texts?.empty];
  });
  expect(said).toEqual([
    ['Bruin Game Day Marketplace', 'No game day listings yet. Be the first to post!'],
    ['Show Your Bruin Pride', 'No merchandise listings available yet.'],
    ['Share and Save — Rent What You Need', 'No rental listings available yet.'],
    ['Furniture & Essentials', 'No furniture listings available yet.'],
  ]);
});

test('every other slug has the generic page, even one that is a name on Object.prototype', () => {
  for (const slug of ['textbooks', 'constructor', '__proto__', '']) {
    expect(findCategoryTexts(slug, defaultCampus)).toBeUndefined();
  }
});

test('the generic heading is the slug, capitalized, with spaces instead of hyphens', () => {
  expect(toGenericHeading('study-items', defaultCampus)).toBe('Study items');
  expect(toGenericHeading('electronics', defaultCampus)).toBe('Electronics');
});

test('the generic heading of trojan-merch contains the mascot of the campus', () => {
  expect(toGenericHeading('trojan-merch', defaultCampus)).toBe('Trojan merch');
  expect(toGenericHeading('trojan-merch', { ...defaultCampus, mascot: 'Bruin' })).toBe('Bruin merch');
});
