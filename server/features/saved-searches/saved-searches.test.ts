import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { calls } from '#contract/calls.ts';
import { newAccountSeconds, savedSearchLimits } from '#contract/limits.ts';
import { maxSavedSearches } from '#contract/paging.ts';
import type { SavedSearchWithNewCount } from '#contract/saved-searches.ts';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { listMigrations, migrateDatabase } from '#server/platform/postgres/migrations.ts';
import { silentLog } from '#server/platform/process/log.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { submitListingForm } from '#server/testing/listings.ts';

let testApp: TestApp;
let person: Person;
beforeAll(async () => {
  testApp = await startTestApp();
});
beforeEach(async () => {
  person = await testApp.signIn();
});
afterAll(() => testApp.close());

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const url = '/rest/v1/me/saved-searches';
const send = async (method: Method, path: string, payload?: object, by = person) => {
  const response = await testApp.server.inject({
    method,
    url: path,
    headers: by.headers,
    ...(payload ? { payload } : {}),
  });
  return { status: response.statusCode, body: response.json() };
};
const desks = { name: 'Desks under $80', query: { q: 'desk', max_price: 80 }, alert: 'daily' };
const save = (form: object = {}, by = person) => send('POST', url, { ...desks, ...form }, by);
const change = (id: string, changes: object, by = person) => send('PATCH', `${url}/${id}`, changes, by);
const list = async (by = person): Promise<SavedSearchWithNewCount[]> => {
  const { status, body } = await send('GET', url, undefined, by);
  expect(status).toBe(200);
  return calls.listSavedSearches.output.parse(body).items;
};

test('lists saved searches, newest first, with their exact filters', async () => {
  const first = await save();
  testApp.clock.advance(60);
  const second = await save({
    name: '  Rentals\n nearby ',
    alert: 'off',
    query: {
      q: '',
      category: 'rentals',
      verified: 'false',
      available: 'true',
      min_price: '10',
      max_price: '',
      sort: 'price',
      limit: 5,
      cursor: 'x',
    },
  });
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(await list()).toEqual([
    {
      id: second.body.id,
      name: 'Rentals nearby',
      query: { category: 'rentals', available: 'true', min_price: 10 },
      alert: 'off',
      created_at: testApp.clock.now().toISOString(),
      visited_at: testApp.clock.now().toISOString(),
      new_count: 0,
    },
    { ...first.body, new_count: 0 },
  ]);
  expect(first.body).toMatchObject(desks);
});

test('saving the same search again changes its name and alert', async () => {
  const { body } = await save();
  const again = await save({ name: 'Cheap desks', alert: 'instant', query: { max_price: 80, q: 'desk ' } });
  expect(again.body).toEqual({ ...body, name: 'Cheap desks', alert: 'instant' });
  expect(await list()).toEqual([{ ...again.body, new_count: 0 }]);
});

const setAge = (seconds: number) =>
  testApp.sql`UPDATE users SET created_at = ${new Date(testApp.clock.now().getTime() - seconds * 1000)}
    WHERE id = ${person.userId}`;

test('a new account can save 10 searches a day, or 5 without a verified address', async () => {
  for (const [email, limit] of [
    ['saver@usc.edu', savedSearchLimits.new],
    ['saver@example.com', savedSearchLimits.new_unverified],
  ] as const) {
    person = await testApp.signIn({ email });
    for (let n = 0; n < limit.points; n += 1)
      expect((await save({ query: { q: `desk ${n}` } })).status).toBe(200);
    expect(await save({ query: { q: 'one more' } })).toEqual({
      status: 429,
      body: {
        code: 'rate_limited',
        error: "You've saved a lot of searches. You can save another one in 24 hours.",
      },
    });
    // Saving the query of an existing search again changes that search, which the rate limit permits.
    expect((await save({ query: { q: 'desk 0' }, name: 'Renamed' })).status).toBe(200);
  }
});

test('keeps at most 25 searches, even when they are saved at once', async () => {
  await setAge(newAccountSeconds);
  const responses = await Promise.all(
    Array.from({ length: maxSavedSearches + 5 }, (_, n) => save({ query: { q: `desk ${n}` } })),
  );
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(maxSavedSearches);
  for (const { status, body } of responses.filter((it) => it.status !== 200))
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'saved_searches_full' });
  const saved = await list();
  expect(saved).toHaveLength(maxSavedSearches);
  expect((await save({ query: saved[0]?.query, name: 'Still possible' })).status).toBe(200);
  expect((await save({}, await testApp.signIn())).status).toBe(200);
});

test('instant alerts require a search text, or a category with a filter', async () => {
  const refused = { status: 400, body: { fields: { alert: expect.stringContaining('search text') } } };
  for (const query of [
    {},
    { category: 'furniture' },
    { max_price: 50 },
    { q: ' ' },
    { category: 'furniture', verified: 'false', q: '' },
  ])
    expect(await save({ alert: 'instant', query }), JSON.stringify(query)).toMatchObject(refused);
  for (const query of [
    { q: 'x' },
    { category: 'furniture', max_price: 50 },
    { category: 'rentals', available: 'true' },
  ])
    expect((await save({ alert: 'instant', query })).status, JSON.stringify(query)).toBe(200);
  const { body } = await save({ query: { category: 'free' } });
  expect(await change(body.id, { alert: 'instant' })).toMatchObject(refused);
  const instant = (await save({ alert: 'instant' })).body;
  expect(await change(instant.id, { query: { category: 'free' } })).toMatchObject(refused);
  expect(await change(instant.id, { query: { category: 'free' }, alert: 'daily' })).toMatchObject({
    status: 200,
  });
});

test('refuses queries that the list of listings refuses, and names that are missing or too long', async () => {
  for (const [query, field] of [
    [{ q: 'x'.repeat(1001) }, 'query.q'],
    [{ q: 'a\u0001b' }, 'query.q'],
    [{ category: 'shoes' }, 'query.category'],
    [{ min_price: -1 }, 'query.min_price'],
    [{ max_price: 'cheap' }, 'query.max_price'],
    [{ location: 'x'.repeat(201) }, 'query.location'],
    [{ seller: 'me' }, 'query.seller'],
    [{ seller: '00000000-0000-4000-8000-000000000000' }, 'query.seller'],
    [{ kind: 'boats' }, 'query.kind'],
  ] as const) {
    const { status, body } = await save({ query });
    expect({ status, fields: Object.keys(body.fields ?? {}) }).toEqual({ status: 400, fields: [field] });
  }
  for (const name of ['', ' \u200B', 'x'.repeat(81)])
    expect((await save({ name })).body.fields).toMatchObject({ name: expect.stringContaining('name') });
  expect(await save({ alert: 'hourly' })).toMatchObject({
    status: 400,
    body: { fields: { alert: expect.any(String) } },
  });
  expect(await list()).toEqual([]);
});

test('changes name, query and alert separately', async () => {
  const { body } = await save();
  expect((await change(body.id, { name: 'Tables' })).body).toEqual({
    ...body,
    name: 'Tables',
    new_listing_ids: [],
  });
  expect((await change(body.id, { alert: 'off' })).body).toMatchObject({ name: 'Tables', alert: 'off' });
  await change(body.id, { query: { q: 'table', condition: 'good' } });
  expect(await list()).toEqual([
    { ...body, name: 'Tables', alert: 'off', query: { q: 'table', condition: 'good' }, new_count: 0 },
  ]);
});

test("nobody sees, changes or deletes another person's search", async () => {
  const { body } = await save();
  const stranger = await testApp.signIn();
  expect(await list(stranger)).toEqual([]);
  expect(await change(body.id, { name: 'Mine now' }, stranger)).toMatchObject({
    status: 404,
    body: { code: 'saved_search_not_found' },
  });
  expect((await send('DELETE', `${url}/${body.id}`, undefined, stranger)).status).toBe(200);
  expect(await list()).toEqual([{ ...body, new_count: 0 }]);
});

test('deleting a search twice succeeds, and a deleted one cannot be changed', async () => {
  const { body } = await save();
  for (const _ of [1, 2]) expect((await send('DELETE', `${url}/${body.id}`)).status).toBe(200);
  expect(await list()).toEqual([]);
  expect((await change(body.id, { name: 'Too late' })).status).toBe(404);
});

describe('a search that was deleted moments ago', () => {
  const remove = async (id: string): Promise<void> => {
    expect((await send('DELETE', `${url}/${id}`)).status).toBe(200);
    expect(await list()).toEqual([]);
  };
  const restore = (id: string, by = person) => save({ restores: id }, by);

  test('is restored completely, with what is new, and does not count as saved once more', async () => {
    await setAge(0);
    for (let n = 1; n < savedSearchLimits.new.points; n += 1) await save({ query: { q: `chair ${n}` } });
    const { body } = await save();
    testApp.clock.advance(60);
    const seller = await testApp.signIn();
    await submitListingForm(testApp, seller, { title: 'A desk for students', price: 50 });
    testApp.clock.advance(50);
    const before = await list();
    await send('DELETE', `${url}/${body.id}`);
    expect((await list()).map(({ id }) => id)).not.toContain(body.id);
    testApp.clock.advance(15);
    await testApp.jobs.repeatNow('match-missed-listings');
    await testApp.jobs.repeatNow('remove-deleted-searches');
    expect(await restore(body.id)).toEqual({ status: 200, body });
    expect(await list()).toEqual(before.map((it) => (it.id === body.id ? { ...it, new_count: 1 } : it)));
  });

  test('is not restored when a new account has saved as many others as it may', async () => {
    await setAge(0);
    const { body } = await save();
    for (let n = 1; n < savedSearchLimits.new.points; n += 1) await save({ query: { q: `chair ${n}` } });
    await send('DELETE', `${url}/${body.id}`);
    expect((await save({ query: { q: 'one more chair' } })).status).toBe(200);
    expect(await restore(body.id)).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(await list()).toHaveLength(savedSearchLimits.new.points);
  });

  test('is not restored when the person has saved the maximum number of others', async () => {
    await setAge(newAccountSeconds);
    const { body } = await save();
    await remove(body.id);
    for (let n = 0; n < maxSavedSearches; n += 1) await save({ query: { q: `chair ${n}` } });
    expect(await restore(body.id)).toMatchObject({ status: 409, body: { code: 'saved_searches_full' } });
  });

  test('is not restored beside the same search that was saved since', async () => {
    const { body } = await save();
    await remove(body.id);
    const again = await save();
    expect((await restore(body.id)).body).toEqual(again.body);
    expect(await list()).toHaveLength(1);
  });

  test('is removed after some seconds, and then saved as a new one', async () => {
    const { body } = await save();
    await remove(body.id);
    testApp.clock.advance(20);
    await testApp.jobs.repeatNow('remove-deleted-searches');
    expect(await testApp.sql`SELECT FROM saved_searches WHERE id = ${body.id}`).toHaveLength(0);
    const again = await restore(body.id);
    expect(again).toMatchObject({
      status: 200,
      body: {
        ...body,
        id: expect.not.stringMatching(body.id),
        created_at: expect.any(String),
        visited_at: expect.any(String),
      },
    });
  });

  test('is not restored for anybody else', async () => {
    const { body } = await save();
    await remove(body.id);
    const stranger = await testApp.signIn();
    expect((await restore(body.id, stranger)).body.id).not.toBe(body.id);
    expect(await list()).toEqual([]);
  });
});

test("deleting an account also deletes other people's saved searches for its listings", async () => {
  const seller = await testApp.signIn();
  await save({ query: { seller: seller.userId } });
  const { body } = await save();
  await send('DELETE', '/rest/v1/me', { confirmation: 'DELETE' }, seller);
  expect(await list()).toEqual([{ ...body, new_count: 0 }]);
});

test('promise 79: deleting an account removes its searches', async () => {
  const { body } = await save();
  expect((await send('DELETE', '/rest/v1/me', { confirmation: 'DELETE' })).status).toBe(200);
  expect(await testApp.sql`SELECT 1 FROM saved_searches WHERE id = ${body.id}`).toHaveLength(0);
});

test('the upgrade stores searches in the composed form, and leaves other searches unchanged', async () => {
  const earlierCount = listMigrations().findIndex((file) => file.startsWith('0125_'));
  const database = await createTestDatabase({ migrated: false });
  const sql = openDatabase(database.url, { max: 1 });
  try {
    await migrateDatabase({ databaseUrl: database.url, log: silentLog, upTo: earlierCount });
    await sql`
      WITH owner AS (
        INSERT INTO users (email, created_at, updated_at) VALUES ('a@usc.edu', now(), now()) RETURNING id
      )
      INSERT INTO saved_searches (user_id, name, query, lowered_text, text_key, location_pattern, alert, created_at, visited_at)
      SELECT id, name, query::jsonb, text, key, pattern, 'off', now(), now() FROM owner, (VALUES
        ('1', ${'{"q": "POA\u0308NG \\"x\\"", "location": "Cafe\u0301"}'}, ${'poa\u0308ng "x"'}, ${'\u0308ng'}, ${'%cafe\u0301%'}),
        ('2', ${'{"category": "furniture", "location": "Cafe\u0301"}'}, NULL, NULL, ${'%cafe\u0301%'}),
        ('3', '{"q": "POÄNG"}', 'poäng', 'äng', NULL),
        ('4', ${'{"q": "x\\n\u0303 A\u0308"}'}, ${'x\n\u0303 a\u0308'}, ${'x\n\u0303'}, NULL)
      ) AS searches (name, query, text, key, pattern)`;
    await migrateDatabase({ databaseUrl: database.url, log: silentLog });
    const searches = await sql`
      SELECT query, lowered_text, text_key, location_pattern FROM saved_searches ORDER BY name`;
    expect(searches).toEqual([
      {
        query: { q: 'POÄNG "x"', location: 'Café' },
        lowered_text: 'poäng "x"',
        text_key: 'poä',
        location_pattern: '%café%',
      },
      {
        query: { category: 'furniture', location: 'Café' },
        lowered_text: null,
        text_key: null,
        location_pattern: '%café%',
      },
      { query: { q: 'POÄNG' }, lowered_text: 'poäng', text_key: 'äng', location_pattern: null },
      {
        query: { q: 'x\n\u0303 Ä' },
        lowered_text: 'x\n\u0303 ä',
        text_key: 'x\n\u0303',
        location_pattern: null,
      },
    ]);
  } finally {
    await sql.end();
    await database.drop();
  }
}, 60_000);
