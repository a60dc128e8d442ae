import { describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { categoryFieldEntries, formatCategoryValue } from '#contract/category-fields.ts';
import type { Listing } from '#contract/listings.ts';
import { createCategoryValue } from '#contract/testing.ts';
import { describeCategoryFields } from './category-facts.ts';

const describeListing = (change: Partial<Listing>) =>
  describeCategoryFields(change as Listing, defaultCampus);

describe.each(categoryFieldEntries)('promise 122: the field %s', (_, field) => {
  const value = createCategoryValue(field);
  const category = field.categories[0] ?? 'furniture';

  test('is on the page and in the structured data of its categories', () => {
    const { shown, structured } = describeListing({ category, [field.column]: value });
    const text = formatCategoryValue(field, value, defaultCampus) ?? '';
    const [{ label, text: written } = { label: '', text: '' }] = shown;
    expect({ label, written: written.replaceAll('-', '') }).toEqual({
      label: field.label,
      written: field.note ? `${text} · ${field.note}` : text,
    });
    expect(shown).toHaveLength(1);
    expect(JSON.stringify(structured)).toContain(JSON.stringify(field.note ? text : written));
  });

  test('is left out where it has no value, and in other categories', () => {
    const nothing = { shown: [], structured: {} };
    expect(describeListing({ category })).toEqual(nothing);
    expect(describeListing({ category: 'kitchen', [field.column]: value })).toEqual(nothing);
  });
});

test('the structured data of a textbook says that it is a book', () => {
  const { structured } = describeListing({
    category: 'textbooks',
    isbn: '9780131103627',
    authors: 'Kernighan, Ritchie',
    edition: '2nd',
    published_year: 1988,
    course: 'CSCI 104',
  });
  expect(structured).toEqual({
    '@type': ['Product', 'Book'],
    isbn: '978-0-13-110362-7',
    author: { '@type': 'Person', name: 'Kernighan, Ritchie' },
    bookEdition: '2nd',
    datePublished: '1988',
    additionalProperty: [{ '@type': 'PropertyValue', name: 'Course', value: 'CSCI 104' }],
  });
});
