import { describe, expect, test } from 'vitest';
import { defaultCampus } from '#contract/campus.ts';
import { createListingSubmissionSchema } from '#contract/listing-form.ts';
import {
  blankListingFormValues,
  type ListingFormValues,
  listMissingFields,
  toSubmissionBody,
} from './submission.ts';

const completeValues: ListingFormValues = {
  ...blankListingFormValues,
  title: 'Oak desk with two drawers',
  category: 'furniture',
  condition: 'good',
  gameDate: '',
  price: '45.50',
  description: 'A sturdy oak desk, some marks on the top, easy to carry by two.',
  location: 'Cardinal Gardens',
  contactEmail: 'sam@usc.edu',
  contactPhone: '',
};

const listMissingFieldNames = (change: Partial<ListingFormValues>): string[] =>
  listMissingFields({ ...completeValues, ...change }).map(({ name }) => name);

describe('Post Ad', () => {
  test('can be submitted once every required field and one contact method are filled', () => {
    expect(listMissingFieldNames({})).toEqual([]);
    expect(listMissingFieldNames({ contactEmail: '', contactPhone: '213 555 0100' })).toEqual([]);
  });
  test.each([
    ['title', 'Title'],
    ['category', 'Category'],
    ['condition', 'Condition'],
    ['price', 'Price'],
    ['description', 'Description'],
    ['location', 'Location'],
    ['contactEmail', 'Email or phone'],
  ] as const)('waits for %s', (field, name) => {
    expect(listMissingFieldNames({ [field]: '' })).toEqual([name]);
    expect(listMissingFieldNames({ [field]: '  ' })).toEqual([name]);
  });
  test('does not require a price for a free item', () => {
    expect(listMissingFieldNames({ category: 'free', price: '' })).toEqual([]);
  });
  test('lists missing fields in the order of the form', () => {
    expect(listMissingFields(blankListingFormValues).map(({ field }) => field)).toEqual([
      'title',
      'category',
      'condition',
      'price',
      'description',
      'location',
      'contactEmail',
    ]);
  });
});

const clientId = '018f3a5e-7c1d-4b52-9e4a-2f6b8c0d1e2f';

describe('the request body', () => {
  const schema = createListingSubmissionSchema('2026-03-02', defaultCampus);

  test('matches the contract, both when complete and as an empty draft', () => {
    const published = toSubmissionBody(completeValues, {
      photos: [],
      status: 'published',
      id: undefined,
      clientId,
    });
    expect(schema.safeParse(published).error).toBeUndefined();
    const draft = toSubmissionBody(blankListingFormValues, {
      photos: [],
      status: 'draft',
      id: undefined,
      clientId,
    });
    expect(schema.safeParse(draft).error).toBeUndefined();
    expect(draft).not.toHaveProperty('id');
    expect(draft).toMatchObject({ clientId });
  });
  test('contains null for an empty contact or date', () => {
    const body = toSubmissionBody(
      { ...completeValues, contactEmail: ' ' },
      { photos: [], status: 'draft', id: undefined, clientId },
    );
    expect(body).toMatchObject({ contactEmail: null, contactPhone: null, gameDate: null });
  });
  test('contains the terms of the sale, such as a firm price and the hold time', () => {
    const body = toSubmissionBody(
      { ...completeValues, isPriceFirm: 'true', holdHours: '24' },
      { photos: [], status: 'published', id: undefined, clientId },
    );
    expect(body).toMatchObject({ holdHours: 24, isPriceFirm: true, rentalPeriod: 'flexible', drawHours: 24 });
  });
  test('contains no further price for the period of the price, for which the form does not ask', () => {
    const rental = { category: 'rentals', rentalPeriod: 'week', dayPrice: '5', weekPrice: '20' } as const;
    const body = toSubmissionBody(
      { ...completeValues, ...rental },
      { photos: [], status: 'published', id: undefined, clientId },
    );
    expect(schema.parse(body)).toMatchObject({ dayPrice: 5, weekPrice: null });
  });
  test('contains a date only for game day, and no price for free items', () => {
    const dated = { ...completeValues, gameDate: '2026-09-05' };
    const options = { photos: [], status: 'published', id: 'x', clientId } as const;
    expect(toSubmissionBody(dated, options)).toMatchObject({ gameDate: null, price: '45.50', id: 'x' });
    expect(toSubmissionBody({ ...dated, category: 'game-day' }, options)).toMatchObject({
      gameDate: '2026-09-05',
    });
    expect(toSubmissionBody({ ...completeValues, category: 'free' }, options)).toMatchObject({
      price: '0.00',
    });
  });
});
