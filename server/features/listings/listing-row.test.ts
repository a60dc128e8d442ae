import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { defaultCampus } from '#contract/campus.ts';
import { categoryColumns, categoryFieldEntries } from '#contract/category-fields.ts';
import { createListingSubmissionSchema } from '#contract/listing-form.ts';
import {
  listingSchema,
  ownListingSchema,
  publicContentFields,
  publicContentSchema,
} from '#contract/listings.ts';
import { checkedFields } from '#contract/prohibited-items.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertPhoto, submitListingForm } from '#server/testing/listings.ts';
import { listingColumns, toContentColumns, toListingContent, toSubmittedContent } from './listing-row.ts';

let testApp: TestApp;
let seller: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  seller = await testApp.signIn();
});
afterAll(() => testApp.close());

/** Columns that are not part of a listing as its owner sees it. */
const bookkeepingColumns = [
  'away_until',
  'client_id',
  'copied_from',
  'drawn_at',
  'folded_text',
  'hidden_with',
  'search_text',
];

test('every column of a listing is read and written, or is on the list of bookkeeping columns', async () => {
  const columns = await testApp.sql<{ name: string }[]>`
    SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name = 'listings'`;
  expect([...listingColumns, ...bookkeepingColumns].sort()).toEqual(columns.map(({ name }) => name).sort());
});

test('the owner receives every column, except those about when it was taken down, reviewed and deleted', () => {
  const displayed = Object.keys(ownListingSchema.shape).filter(
    (field) =>
      ![
        'images',
        'sold_to_name',
        'rental',
        'open_deals',
        'waiting_offers',
        'hold',
        'save_count',
        'tended_at',
        'awaits_membership',
      ].includes(field),
  );
  expect(
    [
      ...displayed,
      ...['hidden_at', 'held_at', 'wording_approved_at', 'deleted_at', 'status_before_deletion'],
    ].sort(),
  ).toEqual([...listingColumns].sort());
});

/** Fields of a public listing that its owner does not enter. */
const serverFields = [
  ...['id', 'slug', 'user_id', 'status', 'created_at', 'updated_at', 'seller', 'seller_role'],
  // These follow from the photos, and from the duration that was chosen for a draw.
  ...['cover', 'images', 'draw', 'draw_closes_at'],
  ...['is_on_hold', 'rented_until', 'rental', 'taken_days', 'unavailable', 'away_until', 'confirmed_at'],
];

test('every field of a public listing belongs to the content that moderators see, or is set by the server', () => {
  expect([...publicContentFields, ...serverFields].sort()).toEqual(Object.keys(listingSchema.shape).sort());
});

test('every text of the public content is checked for prohibited wording, except phone numbers and codes', () => {
  const codes = categoryFieldEntries
    .filter(([, { input }]) => ['isbn', 'course', 'weekdays'].includes(input))
    .map(([, { column }]) => column);
  const texts = publicContentFields.filter((field) => {
    const schema = publicContentSchema.shape[field];
    return schema instanceof z.ZodNullable && schema.unwrap() instanceof z.ZodString;
  });
  expect([...checkedFields, 'contact_phone', ...codes].sort()).toEqual(texts.sort());
});

test('every field of the form is stored, returned to the owner and converted back to the form', async () => {
  const form = {
    title: 'Two tickets for Saturday',
    category: 'game-day',
    condition: 'new',
    price: 40.5,
    description: 'Section 112, side by side. Pick them up on campus before the game.',
    location: 'Village',
    contactEmail: 'seller@usc.edu',
    contactPhone: '(213) 555-0100',
    photos: [await insertPhoto(testApp, seller, 'ticket.jpg')],
    gameDate: '2026-12-12',
    holdHours: 24,
    isPriceFirm: true,
    rentalPeriod: 'flexible',
    giftMode: 'first_come',
    drawHours: 12,
  };
  // Fields of other categories are empty; those of each category are checked in category-fields.test.ts.
  const cleared = Object.fromEntries(categoryFieldEntries.map(([name]) => [name, null]));
  const sent = { ...form, status: 'published' };
  const content = toSubmittedContent(createListingSubmissionSchema('2020-01-01', defaultCampus).parse(sent));
  const { body } = await submitListingForm(testApp, seller, sent);
  const columns = toContentColumns(content);
  expect(body.listing).toMatchObject(columns);
  for (const [column, value] of Object.entries(columns))
    if (!(categoryColumns as string[]).includes(column)) expect(value ?? '').not.toEqual('');
  expect(toListingContent(columns)).toEqual({ ...form, ...cleared });
});
