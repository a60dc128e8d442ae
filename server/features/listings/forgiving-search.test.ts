import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { signInToConsole } from '#server/testing/console.ts';
import { submitListingForm } from '#server/testing/listings.ts';
import { sendRequest } from '#server/testing/requests.ts';

/** What people type, and the words of the listing, name or place that they look for. */
const cases: [kind: string, typed: string, written: string][] = [
  ['case', 'POANG', 'poang'],
  ['accents', 'decor', 'Décor'],
  ['accents in the search', 'pöang', 'Poang'],
  ['letters that look accented', 'smorrebrod', 'Smørrebrød'],
  ['quotes', "women's", 'Women’s'],
  ['quotes in the search', 'men’s', "Men's"],
  ['width', 'ps5', 'ＰＳ５'],
  ['a hyphen that is left out', 'ebike', 'E-bike'],
  ['a hyphen that is typed', 'air-pods', 'AirPods'],
  ['a typographic hyphen', 'wi-fi', 'Wi‑Fi'],
  ['a space that is left out', 'airpods', 'Air Pods'],
  ['a space that is typed', 'air pods', 'AirPods'],
  ['an apostrophe that is left out', 'oneill', "O'Neill"],
];

let testApp: TestApp;
let seller: Person;
let searcher: Person;
let administrator: Person;
beforeAll(async () => {
  testApp = await startTestApp();
  seller = await testApp.signIn();
  searcher = await testApp.signIn();
  administrator = await signInToConsole(testApp, 'administrator');
});
afterAll(() => testApp.close());
beforeEach(async () => {
  await testApp.sql`DELETE FROM listings`;
  await testApp.sql`DELETE FROM private.search_words`;
  await testApp.sql`DELETE FROM saved_searches`;
});

const publish = async (title: string, location = 'Parkside'): Promise<string> => {
  const form = { title, location, description: 'Bought last fall and hardly used since then.' };
  const { status, body } = await submitListingForm(testApp, seller, form);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.listing.id;
};
const fetchTitles = async (path: string): Promise<string[]> => {
  const { status, body } = await sendRequest(testApp, undefined, 'GET', `/rest/v1/listings${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.items.map((item: { title: string }) => item.title);
};
const saveSearch = async (query: object): Promise<string> => {
  const payload = { name: 'A search', query, alert: 'off' };
  const { status, body } = await sendRequest(
    testApp,
    searcher,
    'POST',
    '/rest/v1/me/saved-searches',
    payload,
  );
  expect(status, JSON.stringify(body)).toBe(200);
  return body.id;
};
const matchListings = async (): Promise<void> => {
  await testApp.sql`UPDATE listings_to_match SET due_at = due_at - interval '1 minute'`;
  await testApp.jobs.repeatNow('match-missed-listings');
};
const findMatches = async (searchId: string): Promise<string[]> => {
  const rows = await testApp.sql<{ listing_id: string }[]>`
    SELECT listing_id FROM saved_search_matches WHERE search_id = ${searchId}`;
  return rows.map((row) => row.listing_id);
};

describe.each(cases)('%s: "%s" finds "%s"', (_, typed, written) => {
  const title = `Very good ${written} of mine`;

  test('in a search and its filters', async () => {
    await publish(title, `${written} Hall`);
    await publish('Lamp with a green shade');
    expect(await fetchTitles(`?q=${encodeURIComponent(typed)}`)).toEqual([title]);
    expect(await fetchTitles(`?q=${encodeURIComponent(`good ${typed} of`)}`)).toEqual([title]);
    expect(await fetchTitles(`?q=${encodeURIComponent(written)}&category=furniture`)).toEqual([title]);
  });

  test('in the suggestions', async () => {
    await publish(title);
    await publish('Lamp with a green shade');
    expect(await fetchTitles(`/suggestions?q=${encodeURIComponent(typed)}`)).toEqual([title]);
  });

  test('in saved searches', async () => {
    const searchId = await saveSearch({ q: typed });
    testApp.clock.advance(1);
    const listingId = await publish(title);
    await publish('Lamp with a green shade');
    await matchListings();
    expect(await findMatches(searchId)).toEqual([listingId]);
  });

  test('in the console search for people', async () => {
    const { userId } = await testApp.signIn({ fullName: `${written} Student` });
    const url = `/rest/v1/moderation/people?${new URLSearchParams({ q: typed })}`;
    const { body } = await sendRequest(testApp, administrator, 'GET', url);
    expect(body.items.map(({ id }: { id: string }) => id)).toContain(userId);
    expect(body.items.length).toBeLessThan(3);
    await testApp.sql`UPDATE users SET full_name = 'Somebody Else' WHERE id = ${userId}`;
  });
});

describe('similar results', () => {
  test.each([
    ['decors', 'Very good Décor of mine'],
    ['résumés', 'Very good Resume of mine'],
    ['ebikes', 'Very good “Ebike” of mine'],
    ['poangs', 'Very good POÄNG of mine'],
  ])('%s: %s', async (q, title) => {
    await publish(title);
    expect(await fetchTitles(`/similar-matches?q=${encodeURIComponent(q)}`)).toEqual([title]);
  });

  test.each(cases)('leave out what the search itself finds: %s', async (_, typed, written) => {
    await publish(`Very good ${written} of mine`);
    expect(await fetchTitles(`/similar-matches?q=${encodeURIComponent(typed)}`)).toEqual([]);
  });
});

test('the filter by location ignores accents, in lists and in saved searches', async () => {
  const searchId = await saveSearch({ location: 'José' });
  testApp.clock.advance(1);
  const listingId = await publish('Very good lamp of mine', 'San Jose Hall');
  const other = await publish('Another good lamp of mine', 'San Antonio Hall');
  expect(await fetchTitles('?location=JOS%C3%89')).toEqual(['Very good lamp of mine']);
  await matchListings();
  expect(await findMatches(searchId)).toEqual([listingId]);
  expect(other).not.toBe(listingId);
});

test('listings and saved searches of earlier versions are found once the background job has run', async () => {
  const listingId = await publish('Very good Décor of mine');
  const searchId = await saveSearch({ q: 'déc-or' });
  await testApp.sql`UPDATE listings SET folded_text = NULL`;
  await testApp.sql`UPDATE saved_searches SET text_key = 'c-o'`;
  await testApp.sql`DELETE FROM private.checked_texts`;
  // The exact text is found at any time.
  expect(await fetchTitles('?q=D%C3%A9cor')).toEqual(['Very good Décor of mine']);
  expect(await fetchTitles('?q=decor')).toEqual([]);
  await testApp.jobs.repeatNow('check-stored-texts');
  expect(await fetchTitles('?q=decor')).toEqual(['Very good Décor of mine']);
  await testApp.sql`UPDATE saved_searches SET visited_at = visited_at - interval '1 minute'`;
  await matchListings();
  expect(await findMatches(searchId)).toEqual([listingId]);
});
