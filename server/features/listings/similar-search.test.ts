import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, submitListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let seller: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  seller = await testApp.signIn();
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.sql`DELETE FROM listings`;
  await testApp.sql`DELETE FROM private.search_words`;
});

const saveForm = async (form: ListingForm): Promise<string> => {
  const { status, body } = await submitListingForm(testApp, seller, form);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.listing.id;
};
const publishListing = (title: string, changes: ListingForm = {}) =>
  saveForm({ description: 'Bought last fall and hardly used since then.', title, ...changes });
const deleteListing = (id: string) =>
  testApp.server.inject({ method: 'DELETE', url: `/rest/v1/me/listings/${id}`, headers: seller.headers });

const fetchTitles = async (path: string): Promise<string[]> => {
  const response = await testApp.server.inject(path);
  expect(response.statusCode, response.body).toBe(200);
  return response.json().items.map((item: { title: string }) => item.title);
};
const findSimilarTitles = (q: string, filters = ''): Promise<string[]> =>
  fetchTitles(`/rest/v1/listings/similar-matches?q=${encodeURIComponent(q)}${filters}`);

describe('similar matches of a search', () => {
  test.each([
    ['desks', 'Standing desk, white'],
    ['bicycles', 'Red bicycle with a lock'],
    ['calclus', 'Calculus textbook, 8th edition'],
    ['DESKS', 'Standing desk, white'],
    ['textbok calculus', 'Calculus textbook, 8th edition'],
    ['white desk', 'Standing desk, white'],
  ])('a search for "%s" finds "%s"', async (q, title) => {
    await publishListing(title);
    await publishListing('Lamp with a green shade');
    expect(await findSimilarTitles(q)).toEqual([title]);
  });

  test('listings that contain the exact text are left out, because the search itself finds them', async () => {
    await publishListing('Standing desk, white');
    await publishListing('Two desks for a shared room');
    expect(await fetchTitles('/rest/v1/listings?q=desks')).toEqual(['Two desks for a shared room']);
    expect(await findSimilarTitles('desks')).toEqual(['Standing desk, white']);
    expect(await findSimilarTitles('desk')).toEqual([]);
  });

  test('all words of the search must occur in the listing in some form, as whole words', async () => {
    await publishListing('Desktop computer with two monitors');
    await publishListing('Desk of solid oak wood');
    expect(await findSimilarTitles('desks')).toEqual(['Desk of solid oak wood']);
    expect(await findSimilarTitles('oaks desks')).toEqual(['Desk of solid oak wood']);
    expect(await findSimilarTitles('desks computers')).toEqual([]);
  });

  test('filters apply, and the newest come first', async () => {
    await publishListing('Desk number one, small', { price: '10' });
    testApp.clock.advance(1000);
    await publishListing('Desk number two, large', { price: '90' });
    expect(await findSimilarTitles('desks')).toEqual(['Desk number two, large', 'Desk number one, small']);
    expect(await findSimilarTitles('desks', '&max_price=50')).toEqual(['Desk number one, small']);
    expect(await findSimilarTitles('desks', '&category=rentals')).toEqual([]);
  });

  test('listings with the words in their titles come first', async () => {
    await publishListing('Desk of solid oak wood');
    testApp.clock.advance(1000);
    await publishListing('Small tent for two people', { location: 'Library front desk' });
    expect(await findSimilarTitles('desks')).toEqual(['Desk of solid oak wood', 'Small tent for two people']);
  });

  test('listings of a category whose label contains the text are left out, because the search itself finds them', async () => {
    await publishListing('Shirt with a mascot on it', { category: 'trojan-merch' });
    expect(await fetchTitles('/rest/v1/listings?q=trojan%20merch')).toEqual(['Shirt with a mascot on it']);
    expect(await findSimilarTitles('trojan merch')).toEqual([]);
  });

  test('drafts and deleted listings are never found', async () => {
    const id = await publishListing('Standing desk, white');
    await saveForm({
      title: 'Draft of a desk',
      status: 'draft',
    });
    expect(await findSimilarTitles('desks')).toEqual(['Standing desk, white']);
    await deleteListing(id);
    expect(await findSimilarTitles('desks')).toEqual([]);
  });

  test.each(['', ' ', '!!!', "'", '\\', ':*', '%', '((', 'a & b', '🎉', 'x'.repeat(2000)])(
    'finds nothing for %j, without an error',
    async (q) => {
      await publishListing('Standing desk, white');
      expect(await findSimilarTitles(q)).toEqual([]);
    },
  );
});

test('the similar search ignores indexed words that contain symbols, which some collations produce', async () => {
  await publishListing('Standing desk, white');
  await testApp.sql`INSERT INTO private.search_words (word, stem) VALUES ('desk+(', 'desk'), ('desk''', 'desk')`;
  expect(await findSimilarTitles('desks')).toEqual(['Standing desk, white']);
});

describe('the known words', () => {
  const words = async (): Promise<string[]> =>
    (await testApp.sql<{ word: string }[]>`SELECT word FROM private.search_words ORDER BY word`).map(
      ({ word }) => word,
    );

  test('are added when a listing is published or changed, without numbers and very short words', async () => {
    await saveForm({
      title: 'Hidden draft here',
      status: 'draft',
    });
    expect(await words()).toEqual([]);
    const id = await publishListing('Zebra lamp, call 2135551234');
    expect(await words()).toContain('zebra');
    expect(await words()).not.toContain('2135551234');
    await publishListing('Yellow lamp for a desk', { id });
    expect(await words()).toContain('yellow');
  });

  test('are removed by the daily job once no published listing contains them', async () => {
    const id = await publishListing('Zebra lamp for a desk');
    await publishListing('Lamp for a table');
    await deleteListing(id);
    expect(await words()).toContain('zebra');
    await testApp.jobs.repeatNow('remove-unused-words');
    expect(await words()).not.toContain('zebra');
    expect(await words()).toContain('lamp');
  });
});
