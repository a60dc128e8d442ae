import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { categories } from '#contract/categories.ts';
import { categoryFieldEntries } from '#contract/category-fields.ts';
import { exportedListingSchema } from '#contract/data-export.ts';
import { createCategoryValue, createInvalidCategoryValue } from '#contract/testing.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let seller: Person;
beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_RATE_LIMITS: 'off' } });
  seller = await testApp.signIn();
});
afterAll(() => testApp.close());
beforeEach(() => testApp.sql`DELETE FROM listings`);

const save = async (form: ListingForm) => {
  // Saving the same listing again within ten seconds counts as a double click.
  testApp.clock.advance(11);
  return submitListingForm(testApp, seller, form);
};
const post = async (form: ListingForm) => {
  const { status, body } = await save(form);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.listing;
};
const readPublic = async (slug: string) =>
  (await testApp.server.inject({ url: `/rest/v1/listings/${slug}` })).json();
const listIds = async (query: Record<string, string>): Promise<string[]> => {
  const response = await testApp.server.inject({ url: `/rest/v1/listings?${new URLSearchParams(query)}` });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().items.map(({ id }: { id: string }) => id);
};

describe.each(categoryFieldEntries)('promise 122: the field %s', (name, field) => {
  const { column, sentence } = field;
  const category = field.categories[0] ?? 'furniture';
  const [value, otherValue] = [createCategoryValue(field, 0), createCategoryValue(field, 1)];
  const typed = field.input === 'choice' ? value : ` ${value} `;

  test('is stored in drafts and published listings, and shown to everybody', async () => {
    for (const status of ['draft', 'published'] as const) {
      const listing = await post({ category, status, [name]: typed });
      expect(listing).toMatchObject({ [column]: value });
      expect(await post({ id: listing.id, category, status, [name]: otherValue })).toMatchObject({
        [column]: otherValue,
      });
      if (status === 'published')
        expect(await readPublic(listing.slug)).toMatchObject({ [column]: otherValue });
    }
  });

  test('may be empty or missing, and is then absent from the public listing', async () => {
    for (const form of [{}, { [name]: '' }, { [name]: null }]) {
      const listing = await post({ category, ...form });
      expect(listing).toMatchObject({ [column]: null });
      expect(await readPublic(listing.slug)).not.toHaveProperty(column);
    }
  });

  test('is cleared in other categories', async () => {
    const other = categories.find((it) => it !== 'free' && !field.categories.includes(it));
    expect(await post({ category: other, [name]: value })).toMatchObject({ [column]: null });
  });

  test('is refused with its sentence when its value is invalid', async () => {
    for (const status of ['draft', 'published'] as const) {
      const { body } = await save({ category, status, [name]: createInvalidCategoryValue(field) });
      expect(body.fields).toEqual({ [name]: sentence });
    }
  });

  test('belongs to the data export', () => {
    expect(exportedListingSchema.shape).toHaveProperty(column);
  });

  test.runIf(field.filter)('filters lists', async () => {
    const wanted = await post({ category, [name]: value });
    await post({ category, [name]: otherValue });
    await post({ category });
    expect(await listIds({ category, [column]: String(value) })).toEqual([wanted.id]);
    expect(await listIds({ [column]: String(value) })).toEqual([wanted.id]);
  });

  test.runIf(['text', 'isbn', 'course'].includes(field.input))(
    'is found by a search for its text',
    async () => {
      const wanted = await post({ category, [name]: value });
      await post({ category });
      expect(await listIds({ q: String(value) })).toEqual([wanted.id]);
      expect((await post({ id: wanted.id, category, [name]: '' })).id).toBe(wanted.id);
      expect(await listIds({ q: String(value) })).toEqual([]);
    },
  );
});

test('sizes of listings without a size are recognized by their words, and a size decides for the others', async () => {
  const title = 'A warm coat of size small';
  const byWords = await post({ category: 'clothing', title });
  const byField = await post({ category: 'clothing', title: 'A warm coat for winter', size: 'small' });
  const large = await post({ category: 'clothing', title, size: 'large' });
  const tiny = await post({ category: 'clothing', title, size: 'xs' });
  expect(await listIds({ size: 'small' })).toEqual([byField.id, byWords.id]);
  expect(await listIds({ size: 'large', category: 'clothing' })).toEqual([large.id]);
  expect(await listIds({ size: 'xs' })).toEqual([tiny.id]);
  expect(await listIds({ size: 'shoe-9.5' })).toEqual([]);
});

test.each([
  ['day', 'dayPrice', 'day_price'],
  ['week', 'weekPrice', 'week_price'],
  ['month', 'monthPrice', 'month_price'],
])(
  'a form that does not know prices for further periods leaves one price for a %s',
  async (period, name, column) => {
    const rental = { category: 'rentals', price: 25, dayPrice: 5, weekPrice: 30, monthPrice: 90 };
    const { id } = await post(rental);
    const twice = { id, category: 'rentals', price: 25, rentalPeriod: period, [name]: 5 };
    expect((await save(twice)).body.fields).toHaveProperty('rentalPeriod');
    const changed = await post({ id, category: 'rentals', price: 25, rentalPeriod: period });
    expect(changed).toMatchObject({
      day_price: 5,
      week_price: 30,
      month_price: 90,
      price: 25,
      [column]: null,
    });
  },
);

test.each(['math125', 'MATH-125', ' Math  125 '])('the course MATH 125 may be typed as %j', async (typed) => {
  const listing = await post({ category: 'textbooks', course: typed });
  expect(listing.course).toBe('MATH 125');
  expect(await listIds({ course: typed })).toEqual([listing.id]);
});

describe('promise 115: one book is found', () => {
  const isbn10 = '0131103628';
  const forms = [
    isbn10,
    '0-13-110362-8',
    '9780131103627',
    '978-0-13-110362-7',
    'ISBN: 978 0131103627',
    'isbn-10 0131103628',
  ];

  test('by each form of its ISBN, however its owner typed it', async () => {
    for (const typed of forms) {
      const { id, isbn } = await post({ category: 'textbooks', isbn: typed });
      expect(isbn).toBe('9780131103627');
      for (const searched of forms) {
        expect(await listIds({ q: searched }), `${typed}, ${searched}`).toEqual([id]);
        expect(await listIds({ isbn: searched })).toEqual([id]);
      }
      await testApp.sql`DELETE FROM listings`;
    }
  });

  test('also when only its description has the ISBN as it is searched, and each listing once', async () => {
    const both = await post({
      category: 'textbooks',
      isbn: isbn10,
      description: `ISBN 0-13-110362-8${'.'.repeat(40)}`,
    });
    const byText = await post({ category: 'textbooks', description: `ISBN 0-13-110362-8${'.'.repeat(40)}` });
    expect(await listIds({ q: '0-13-110362-8' })).toEqual([byText.id, both.id]);
    expect(await listIds({ q: '978-0-13-110362-7' })).toEqual([both.id]);
  });
});
