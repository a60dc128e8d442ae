import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CategoryColumn, categoryFieldEntries } from '#contract/category-fields.ts';
import { type PublicContent, publicContentFields } from '#contract/listings.ts';
import type { CaseAction, ModerationCase } from '#contract/moderation.ts';
import { createCategoryValue } from '#contract/testing.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { applyModerationActions, signInToConsole } from '#server/testing/console.ts';
import { insertPhoto, type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { sendRequest } from '#server/testing/requests.ts';

let testApp: TestApp;
let moderator: Person;
let seller: Person;
let reporter: Person;
const vodka = 'A bottle of vodka from a party';
const title = { title: vodka };
let photoCount = 0;

const insertPhotos = async (): Promise<string[]> => {
  photoCount += 1;
  return [await insertPhoto(testApp, seller, `${photoCount}.jpg`)];
};

type Forms = [before: ListingForm, after: ListingForm];

/** For each public field, two forms of a listing held for review that differ in this field only. */
const changes: Record<keyof PublicContent, () => Forms | Promise<Forms>> = {
  title: () => [title, { title: 'Two bottles of vodka and more' }],
  description: () => [
    title,
    { ...title, description: 'Never opened, and the price can be discussed by phone.' },
  ],
  price: () => [title, { ...title, price: 99.5 }],
  category: () => [title, { ...title, category: 'electronics' }],
  condition: () => [title, { ...title, condition: 'fair' }],
  location: () => [title, { ...title, location: 'Behind the gym' }],
  game_date: () => [
    { ...title, category: 'game-day', gameDate: '2030-10-05' },
    { ...title, category: 'game-day', gameDate: '2030-10-12' },
  ],
  contact_email: () => [title, { ...title, contactEmail: 'somebody.else@example.com' }],
  contact_phone: () => [title, { ...title, contactPhone: '(213) 555-0100' }],
  photos: async () => [
    { ...title, photos: await insertPhotos() },
    { ...title, photos: await insertPhotos() },
  ],
  rental_period: () => [
    { ...title, category: 'rentals', rentalPeriod: 'week' },
    { ...title, category: 'rentals', rentalPeriod: 'month' },
  ],
  is_price_firm: () => [title, { ...title, isPriceFirm: true }],
  gift_mode: () => [
    { ...title, category: 'free', price: 0, giftMode: 'first_come' },
    { ...title, category: 'free', price: 0, giftMode: 'draw' },
  ],
  ...(Object.fromEntries(
    categoryFieldEntries.map(([name, field]) => [
      field.column,
      () =>
        ([0, 1] as const).map((variant) => ({
          ...title,
          category: field.categories[0],
          [name]: createCategoryValue(field, variant),
        })),
    ]),
  ) as unknown as Record<CategoryColumn, () => Forms>),
};

beforeAll(async () => {
  testApp = await startTestApp({ environment: { QUAD_RATE_LIMITS: 'off' } });
  moderator = await signInToConsole(testApp, 'moderator');
  seller = await testApp.signIn();
  reporter = await testApp.signIn();
});
afterAll(() => testApp.close());

const save = async (form: ListingForm): Promise<{ id: string } & PublicContent> => {
  // Saving the same listing again within ten seconds counts as a double click.
  testApp.clock.advance(11);
  const { status, body } = await submitListingForm(testApp, seller, form);
  expect([status, body.code]).toEqual([200, undefined]);
  return body.listing;
};
const findCaseId = async (listingId: string): Promise<string> => {
  const [row] = await testApp.sql<{ id: string }[]>`
    SELECT id FROM private.moderation_cases WHERE subject_id = ${listingId} ORDER BY opened_at DESC LIMIT 1`;
  return row?.id ?? '';
};
const getCase = async (id: string): Promise<ModerationCase> =>
  (await sendRequest(testApp, moderator, 'GET', `/rest/v1/moderation/cases/${id}`)).body;
const choose = async (caseId: string, action: CaseAction, form: object = {}) =>
  sendRequest(testApp, moderator, 'POST', `/rest/v1/moderation/cases/${caseId}/actions`, {
    action,
    reason: 'Counterfeit',
    ...form,
  });
const readStatus = async (id: string) =>
  (await sendRequest(testApp, seller, 'GET', `/rest/v1/me/listings/${id}`)).body.status;
const pickContent = (listing: PublicContent) =>
  Object.fromEntries(publicContentFields.map((field) => [field, listing[field]]));

describe.each(publicContentFields)('the public field %s', (field) => {
  test('is shown to the moderator, and no version with another value of it is approved', async () => {
    const [before, after] = await changes[field]();
    const listing = await save(before);
    const caseId = await findCaseId(listing.id);
    const seen = await getCase(caseId);
    expect(seen.listing).toMatchObject(pickContent(listing));
    const { photos: _photos, ...quoted } = pickContent(listing);
    expect(seen.quotes.at(-1)?.content).toMatchObject(quoted);

    // Chosen before the change, which arrives within the ten seconds before the action takes effect.
    expect((await choose(caseId, 'dismiss', { listing_version: seen.listing?.version })).status).toBe(200);
    const changed = await save({ ...after, id: listing.id });
    expect(pickContent(changed)).toEqual({ ...pickContent(listing), [field]: changed[field] });
    expect(changed[field]).not.toEqual(listing[field]);
    await applyModerationActions(testApp);
    expect(await readStatus(listing.id)).toBe('in_review');
    const { actions, listing: current } = await getCase(caseId);
    expect(actions[0]?.failure).toMatch(/^The owner changed this listing/);

    // Chosen after the change, on a page that shows the earlier version.
    const stale = await choose(caseId, 'dismiss', { listing_version: seen.listing?.version });
    expect([stale.status, stale.body.code]).toEqual([409, 'listing_changed']);
    expect((await choose(caseId, 'dismiss', { listing_version: current?.version })).status).toBe(200);
    await applyModerationActions(testApp);
    expect(await readStatus(listing.id)).toBe('published');
  });

  test('keeps a listing a draft if it was changed after a take-down that is reversed', async () => {
    const [before, after] = await changes[field]();
    const listing = await save({ ...before, title: 'Solid oak desk with two drawers' });
    await sendRequest(testApp, reporter, 'POST', '/rest/v1/reports', {
      subject: 'listing',
      subject_id: listing.id,
      reason: 'scam',
      text: '',
    });
    const caseId = await findCaseId(listing.id);
    await choose(caseId, 'unpublish');
    await applyModerationActions(testApp);
    const draftTitle = field === 'title' ? 'Solid oak desk and a lamp' : 'Solid oak desk with two drawers';
    await save({ ...after, title: draftTitle, id: listing.id, status: 'draft' });
    await choose(caseId, 'restore');
    await applyModerationActions(testApp);
    expect(await readStatus(listing.id)).toBe('draft');
  });
});
