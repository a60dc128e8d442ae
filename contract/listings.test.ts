import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultCampus } from './campus.ts';
import { toFieldErrors } from './errors.ts';
import {
  createDraftListingSchema,
  createListingSubmissionSchema,
  createPublishedListingSchema,
  listingErrorMessages,
} from './listing-form.ts';
import { listingQuerySchema } from './listing-queries.ts';
import { photoErrorMessages } from './photos.ts';

const today = '2024-11-22';
const validListing = {
  title: 'Walnut desk lamp',
  category: 'furniture',
  condition: 'good',
  price: 25,
  description: 'Gives warm light and has stood on my desk.',
  location: 'Parkside, lobby',
  contactEmail: 'sam@usc.edu',
  contactPhone: null,
  photos: [],
  gameDate: null,
};
const publishedSchema = createPublishedListingSchema(today, defaultCampus);
const draftListingSchema = createDraftListingSchema(defaultCampus);
const findFieldErrors = (changes: object): Record<string, string> => {
  const { error } = publishedSchema.safeParse({ ...validListing, ...changes });
  return error ? toFieldErrors(error, ([field]) => String(field)) : {};
};

describe('a price', () => {
  test.each([
    [0.01, undefined],
    [17.5, undefined],
    ['17.50', undefined],
    [' 25 ', undefined],
    ['25.', undefined],
    ['.5', undefined],
    [100_000, undefined],
    [0, listingErrorMessages.pricePositive],
    [-1, listingErrorMessages.pricePositive],
    ['-1', listingErrorMessages.pricePositive],
    [100_000.01, listingErrorMessages.priceHigh],
    [25.005, listingErrorMessages.priceDecimals],
    ['25.001', listingErrorMessages.priceDecimals],
    [1e-7, listingErrorMessages.priceDecimals],
    ['', listingErrorMessages.priceRequired],
    [null, listingErrorMessages.priceRequired],
    [undefined, listingErrorMessages.priceRequired],
    ['25$5', listingErrorMessages.priceFormat],
    ['€25', listingErrorMessages.priceFormat],
    ['1e3', listingErrorMessages.priceFormat],
    ['0x10', listingErrorMessages.priceFormat],
    ['1,00', listingErrorMessages.priceFormat],
    ['25,50', listingErrorMessages.priceFormat],
    ['1,0000', listingErrorMessages.priceFormat],
    ['1.000,00', listingErrorMessages.priceFormat],
    ['$-1', listingErrorMessages.pricePositive],
    ['$1,200.005', listingErrorMessages.priceDecimals],
    ['100,000.01', listingErrorMessages.priceHigh],
    ['$', listingErrorMessages.priceRequired],
    ['٢٥', listingErrorMessages.priceFormat],
    ['Infinity', listingErrorMessages.priceFormat],
    [true, listingErrorMessages.priceFormat],
    [[25], listingErrorMessages.priceFormat],
  ])('%j: %s', (price, sentence) => expect(findFieldErrors({ price }).price).toBe(sentence));

  test.each([
    ['1,200', 1200],
    ['$25', 25],
    [' $ 1,200.50 ', 1200.5],
    ['$.50', 0.5],
    ['100,000', 100_000],
  ])('%j is the price %d', (typed, price) => {
    expect(publishedSchema.parse({ ...validListing, price: typed }).price).toBe(price);
  });

  test('of a free item must be 0', () => {
    expect(findFieldErrors({ category: 'free', price: 0 })).toEqual({});
    expect(findFieldErrors({ category: 'free', price: '0.00' })).toEqual({});
    expect(findFieldErrors({ category: 'free', price: 0.01 })).toEqual({
      price: listingErrorMessages.priceFree,
    });
  });

  test('is exact to the cent, as a number and as text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000 }), (cents) => {
        const price = cents / 100;
        for (const typed of [price, String(price), price.toFixed(2), ` ${price} `]) {
          expect(Math.round(publishedSchema.parse({ ...validListing, price: typed }).price * 100)).toBe(
            cents,
          );
        }
      }),
    );
  });

  test('with more than two decimals is refused, not rounded', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), (thousandths) => {
        fc.pre(thousandths % 10 !== 0);
        const typed = (thousandths / 1000).toFixed(3);
        expect(findFieldErrors({ price: typed }).price).toBe(listingErrorMessages.priceDecimals);
      }),
    );
  });
});

describe('the limits of a listing', () => {
  test.each([
    ['title', 9, listingErrorMessages.titleShort],
    ['title', 10, undefined],
    ['title', 80, undefined],
    ['title', 81, listingErrorMessages.titleLong],
    ['description', 39, listingErrorMessages.descriptionShort],
    ['description', 40, undefined],
    ['description', 1000, undefined],
    ['description', 1001, listingErrorMessages.descriptionLong],
    ['location', 0, listingErrorMessages.locationRequired],
    ['location', 1, undefined],
    ['location', 200, undefined],
    ['location', 201, listingErrorMessages.locationLong],
  ])('%s of %i characters: %s', (field, length, sentence) => {
    // This character is outside the Basic Multilingual Plane: it has two UTF-16 code units, but counts as one
    // character.
    for (const character of ['a', '𠮷']) {
      const text = character.repeat(length);
      expect(findFieldErrors({ [field]: text })[field]).toBe(sentence);
      expect(findFieldErrors({ [field]: ` \u200B${text}\n ` })[field]).toBe(sentence);
    }
  });

  test.each([
    ['213-740-2311', undefined],
    ['(213) 740 2311', undefined],
    ['1'.repeat(30), undefined],
    ['1'.repeat(31), listingErrorMessages.phoneLong],
    ['123456789', listingErrorMessages.phoneShort],
    ['213.740.2311', listingErrorMessages.phoneFormat],
    ['+1 213 740 2311', listingErrorMessages.phoneFormat],
  ])('phone %s: %s', (contactPhone, sentence) => {
    expect(findFieldErrors({ contactPhone }).contactPhone).toBe(sentence);
  });

  test.each([
    ['2024-11-22', undefined],
    ['2024-11-21', listingErrorMessages.datePast],
    ['2028-02-29', undefined],
    ['2027-02-29', listingErrorMessages.dateFormat],
    ['2024-13-01', listingErrorMessages.dateFormat],
    ['0000-01-01', listingErrorMessages.dateFormat],
    ['22.11.2024', listingErrorMessages.dateFormat],
    ['2024-11-22T00:00:00Z', listingErrorMessages.dateFormat],
    [' ', undefined],
  ])('game date %s: %s', (gameDate, sentence) =>
    expect(findFieldErrors({ gameDate }).gameDate).toBe(sentence),
  );

  test('a listing needs an email address or a phone number', () => {
    const nobody = { contactEmail: ' ', contactPhone: '' };
    expect(findFieldErrors(nobody)).toEqual({ contactEmail: listingErrorMessages.contact });
    expect(findFieldErrors({ ...nobody, contactPhone: '2137402311' })).toEqual({});
  });

  test('an emoji in the title is refused, and so is a sixth photo', () => {
    expect(findFieldErrors({ title: 'Walnut desk lamp 🪑' })).toEqual({
      title: listingErrorMessages.titleEmoji,
    });
    expect(findFieldErrors({ photos: Array(5).fill('/a') })).toEqual({});
    expect(findFieldErrors({ photos: Array(6).fill('/a') })).toEqual({ photos: photoErrorMessages.tooMany });
  });
});

const fieldValues = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 90 }),
  fc.constantFrom(
    ...Object.values(validListing),
    'free',
    '2030-01-01',
    '25.50',
    'Walnut desk lamp, '.repeat(3),
  ),
);
const arbitrarySubmission = fc.record(
  Object.fromEntries(
    Object.entries(validListing).map(([name, value]) => [name, fc.oneof(fc.constant(value), fieldValues)]),
  ),
  { requiredKeys: [] },
);

test.each(['contactEmail', 'contactPhone'] as const)('an invisible %s counts as missing', (field) => {
  expect(draftListingSchema.parse({ [field]: '\u200b' })[field]).toBeNull();
});

describe('for every submission', () => {
  test('each refused field has one of our own error messages', () => {
    const ours = new Set<string>([
      ...Object.values(listingErrorMessages),
      ...Object.values(photoErrorMessages),
      'This text contains characters that cannot be used',
    ]);
    fc.assert(
      fc.property(arbitrarySubmission, (values) => {
        for (const schema of [publishedSchema, draftListingSchema]) {
          const { error } = schema.safeParse(values);
          for (const { message } of error?.issues ?? []) expect(ours).toContain(message);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('saving the stored values again changes nothing', () => {
    fc.assert(
      fc.property(arbitrarySubmission, (values) => {
        for (const schema of [publishedSchema, draftListingSchema]) {
          const { data } = schema.safeParse(values);
          if (data) expect(schema.parse(data)).toEqual(data);
        }
      }),
      { numRuns: 500 },
    );
  });

  test('a listing that can be published can also be saved as a draft with the same values', () => {
    fc.assert(
      fc.property(arbitrarySubmission, (values) => {
        const { data } = publishedSchema.safeParse({ ...validListing, ...values });
        if (data) expect(draftListingSchema.parse(data)).toEqual(data);
      }),
      { numRuns: 500 },
    );
  });

  test('any JSON is either accepted or refused', () => {
    const schema = createListingSubmissionSchema(today, defaultCampus);
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('draft', 'published', 'sold'), (body, status) => {
        expect(() => schema.safeParse(body)).not.toThrow();
        const extended = typeof body === 'object' && body !== null ? { ...body, status } : { status };
        expect(() => schema.safeParse(extended)).not.toThrow();
      }),
    );
  });
});

describe('the query for a list of listings', () => {
  test('has a page size of 24 and ignores empty price limits', () => {
    const { min_price, max_price, ...rest } = listingQuerySchema.parse({ min_price: '', max_price: ' ' });
    expect([min_price, max_price, rest]).toEqual([undefined, undefined, { limit: 24 }]);
  });

  test.each([
    [{ limit: '1' }, true],
    [{ limit: '100' }, true],
    [{ limit: '0' }, false],
    [{ limit: '101' }, false],
    [{ limit: '1.5' }, false],
    [{ limit: '' }, false],
    [{ min_price: '0', max_price: '100000' }, true],
    [{ max_price: '10000000000.01' }, false],
    [{ min_price: 'cheap' }, false],
    [{ sort: 'price-desc' }, true],
    [{ sort: 'constructor' }, false],
    [{ cursor: 'a'.repeat(2000) }, true],
    [{ cursor: 'a'.repeat(2001) }, false],
    [{ location: 'a'.repeat(200) }, true],
    [{ location: 'a'.repeat(201) }, false],
    [{ q: 'a'.repeat(10_000) }, true],
    [{ q: 'a'.repeat(10_001) }, false],
    [{ verified: 'true' }, true],
    [{ verified: 'yes' }, false],
  ])('%j is accepted: %s', (query, accepted) => {
    expect(listingQuerySchema.safeParse(query).success).toBe(accepted);
  });

  test('never throws, and parsing its result again changes nothing', () => {
    const values = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.string()),
      fc.constantFrom('5', '', 'price'),
    );
    const names = ['category', 'q', 'sort', 'min_price', 'max_price', 'location', 'limit', 'cursor', 'kind'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), values), (query) => {
        const { data } = listingQuerySchema.safeParse(query);
        if (data) expect(listingQuerySchema.parse(data)).toEqual(data);
      }),
    );
  });
});
