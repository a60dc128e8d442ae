import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Campus, defaultCampus } from './campus.ts';
import { categoryFieldEntries } from './category-fields.ts';
import {
  createChangePriceSchema,
  createDraftListingSchema,
  createPublishedListingSchema,
} from './listing-form.ts';
import { createWantedPostSchema } from './wanted.ts';

const today = '2026-03-02';
const german = { ...defaultCampus, locale: 'de-DE', currency: 'EUR' };
const japanese = { ...defaultCampus, locale: 'ja-JP', currency: 'JPY', priceScale: 100 };
const kuwaiti = { ...defaultCampus, locale: 'en-KW', currency: 'KWD', priceScale: 0.5 };

const campuses = { EUR: german, JPY: japanese, KWD: kuwaiti, USD: defaultCampus };

/** Every amount that people type, by its name, with the schema of the body that contains it. */
const amounts: [string, (campus: Campus) => z.ZodObject, string][] = [
  ['price of a listing', (campus) => createPublishedListingSchema(today, campus), 'price'],
  ['price of a draft', (campus) => createDraftListingSchema(campus), 'price'],
  ['changed price', (campus) => createChangePriceSchema(campus), 'price'],
  ['highest price of a wanted post', (campus) => createWantedPostSchema(today, campus), 'maxPrice'],
  ...categoryFieldEntries
    .filter(([, { input }]) => input === 'price')
    .map(
      ([name, { label }]) =>
        [label, (campus: Campus) => createDraftListingSchema(campus), name] as (typeof amounts)[number],
    ),
];

describe.each(amounts)('promise 113: the %s is read as the campus writes it', (_, createSchema, field) => {
  const read = (campus: Campus, typed: string) =>
    z.object({ value: createSchema(campus).shape[field] as z.ZodType }).safeParse({ value: typed });

  test.each([
    ['EUR', '12,50', 12.5],
    ['EUR', '1.234,50 €', 1234.5],
    ['EUR', '12.50', 12.5],
    ['JPY', '¥123,400', 123_400],
    ['JPY', '10000000', 10_000_000],
    ['KWD', '12.125', 12.125],
    ['USD', '$1,200', 1200],
  ] as const)('in %s, %j', (currency, typed, amount) => {
    const campus = campuses[currency];
    expect(read(campus, typed)).toEqual({ success: true, data: { value: amount } });
  });

  test.each([
    ['EUR', '1,2,3'],
    ['EUR', '12,505'],
    ['JPY', '12.5'],
    ['JPY', '10000001'],
    ['KWD', '12.1255'],
    ['KWD', '50001'],
    ['USD', '12,50'],
    ['USD', 'ten'],
  ] as const)('in %s, %j is refused', (currency, typed) => {
    const campus = campuses[currency];
    expect(read(campus, typed).success).toBe(false);
  });
});

test('the message about a face value has examples of the campus', () => {
  const findMessage = (campus: Campus) =>
    createDraftListingSchema(campus).shape.faceValue.safeParse('?').error?.issues[0]?.message;
  expect([german, japanese, kuwaiti, defaultCampus].map(findMessage)).toEqual([
    'Enter the face value in digits, for example 45 or 45,50',
    'Enter the face value in digits, for example 4500',
    'Enter the face value in digits, for example 22.500 or 22.750',
    'Enter the face value in digits, for example 45 or 45.50',
  ]);
});
