import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SuggestedListing, suggestedListingSchema } from '#contract/listing-queries.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';
import { takeDownListing } from './moderation.ts';

let testApp: TestApp;
let seller: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  seller = await testApp.signIn();
});
afterAll(() => testApp.close());
beforeEach(() => testApp.sql`DELETE FROM listings`);

const saveForm = async (form: ListingForm): Promise<{ id: string; slug: string }> => {
  testApp.clock.advance(20);
  const { status, body } = await submitListingForm(testApp, seller, form);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.listing;
};
const saveListingsWithTitles = async (titles: string[]): Promise<void> => {
  for (const title of titles) await saveForm({ title });
};
const requestSuggestions = (query: Record<string, string>) =>
  testApp.server.inject({ url: `/rest/v1/listings/suggestions?${new URLSearchParams(query)}` });
const suggestTitles = async (q: string): Promise<string[]> => {
  const response = await requestSuggestions({ q });
  expect(response.statusCode, response.body).toBe(200);
  return response.json().items.map((item: unknown) => suggestedListingSchema.strict().parse(item).title);
};

describe('titles are suggested', () => {
  test('that contain the text, ignoring case, however many newer listings mention it only in the description', async () => {
    const { slug } = await saveForm({ title: 'Round TABLE with four chairs' });
    for (let count = 1; count <= 10; count += 1) {
      await saveForm({
        title: `Rocking chair number ${count}`,
        description: `It goes well with any table of the server. ${'Comfortable. '.repeat(2)}`,
        location: 'Table Rock Hall',
      });
    }
    const response = await requestSuggestions({ q: ' tAbLe ' });
    expect(response.json()).toEqual({
      items: [{ title: 'Round TABLE with four chairs', slug, user_id: seller.userId }],
    });
    expect(await suggestTitles('rocking chair number 3')).toEqual(['Rocking chair number 3']);
    expect(await suggestTitles('furniture')).toEqual([]);
  });

  test('newest first, at most six', async () => {
    const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
    await saveListingsWithTitles(numbers.map((number) => `Desk lamp number ${number}`));
    expect(await suggestTitles('lamp')).toEqual(
      numbers
        .slice(2)
        .reverse()
        .map((number) => `Desk lamp number ${number}`),
    );
  });

  test('starting with those in which a word begins with the text', async () => {
    await saveListingsWithTitles([
      'Table for two, round',
      'Coffee-table book of maps',
      'Portable speaker, black',
    ]);
    expect(await suggestTitles('table')).toEqual([
      'Coffee-table book of maps',
      'Table for two, round',
      'Portable speaker, black',
    ]);
    expect(await suggestTitles('-table')).toEqual(['Coffee-table book of maps']);
  });

  test('once each, for the newest listing with that title', async () => {
    await saveListingsWithTitles([
      'Mini fridge, quiet one',
      'Fridge magnets of Europe',
      'Mini Fridge, quiet one',
    ]);
    const { slug } = await saveForm({ title: 'Mini fridge, quiet one' });
    const { items } = (await requestSuggestions({ q: 'fridge' })).json();
    expect(items).toEqual([
      { title: 'Mini fridge, quiet one', slug, user_id: seller.userId },
      { title: 'Fridge magnets of Europe', slug: expect.any(String), user_id: seller.userId },
    ]);
  });

  test('up to 24, with each title from up to four sellers, for clients that hide blocked sellers', async () => {
    const other = await testApp.signIn();
    await submitListingForm(testApp, other, { title: 'Mini Fridge, quiet one' });
    await saveListingsWithTitles(['Mini fridge, quiet one', 'Mini Fridge, quiet one']);
    const suggest = async () =>
      (await requestSuggestions({ q: 'fridge', per_seller: 'true' })).json().items as SuggestedListing[];
    expect((await suggest()).map(({ user_id: id }) => id)).toEqual([seller.userId, other.userId]);
    await saveListingsWithTitles(Array.from({ length: 25 }, (_, index) => `Fridge magnet number ${index}`));
    expect(await suggest()).toHaveLength(24);
    // The other seller's listing is older than the seller's 24 newest.
    expect((await suggest()).findIndex(({ user_id: id }) => id === other.userId)).toBe(6);
    for (const person of await Promise.all(Array.from({ length: 5 }, () => testApp.signIn())))
      await submitListingForm(testApp, person, { title: 'Fridge of everybody' });
    expect((await suggest()).filter(({ title }) => title === 'Fridge of everybody')).toHaveLength(4);
  });

  test('only of published listings, never of a draft or a removed one', async () => {
    await saveForm({ title: 'Velvet curtain, unfinished', status: 'draft' });
    const taken = await saveForm({ title: 'Velvet curtain, torn at the hem' });
    const withdrawn = await saveForm({ title: 'Velvet curtain, withdrawn' });
    await saveForm({ title: 'Velvet curtain, for everyone' });
    await takeDownListing(testApp.app, taken.slug, 'Reported as stolen');
    await saveForm({ id: withdrawn.id, title: 'Velvet curtain, withdrawn', status: 'draft' });
    expect(await suggestTitles('velvet')).toEqual(['Velvet curtain, for everyone']);
  });
});

describe('the text', () => {
  test('may be composed or decomposed, as the title', async () => {
    await saveListingsWithTitles(['Composed jardinière', 'Decomposed jardinie\u0300re']);
    for (const q of ['jardinière', 'jardinie\u0300re']) expect(await suggestTitles(q)).toHaveLength(2);
  });

  test('promise 33: may contain %, _, \\ and quotes as plain characters', async () => {
    await saveListingsWithTitles(['100% wool_blend "deluxe" \\o/ it\'s', 'Plain cotton shirt, white']);
    for (const q of ['100%', 'wool_blend', '"deluxe"', '\\o/', "it's", '%', '_', '\\'])
      expect(await suggestTitles(q), q).toEqual(['100% wool_blend "deluxe" \\o/ it\'s']);
    for (const q of ['1%l', 'w_ol', '\\\\', "' OR 1=1 --"]) expect(await suggestTitles(q), q).toEqual([]);
  });

  test('suggests nothing when empty', async () => {
    await saveListingsWithTitles(['Plain cotton shirt, white']);
    expect(await suggestTitles('')).toEqual([]);
    expect(await suggestTitles(' \t ')).toEqual([]);
    expect((await requestSuggestions({})).json()).toEqual({ items: [] });
  });

  test('promise 33: may have up to 10 KB; a longer text or one with NUL is refused', async () => {
    expect(await suggestTitles('a'.repeat(10_000))).toEqual([]);
    for (const q of ['a'.repeat(10_001), 'desk\u0000lamp']) {
      const response = await requestSuggestions({ q });
      const list = await testApp.server.inject({ url: `/rest/v1/listings?${new URLSearchParams({ q })}` });
      expect(response.statusCode).toBe(400);
      expect(response.json()).toEqual(list.json());
      expect(response.json().fields.q).toEqual(expect.any(String));
    }
  });
});
