import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { addDays } from '#contract/days.ts';
import type { SavedSearchWithNewCount } from '#contract/saved-searches.ts';
import type { App } from '#server/app.ts';
import { type NotificationFacts, notificationQueue } from '#server/features/notifications/public.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { type ListingForm, removeDeletedListings, submitListingForm } from '#server/testing/listings.ts';
import type { SearchMatches } from './matching-repository.ts';
import { listNewMatches } from './repository.ts';

let testApp: TestApp;
let seller: Person;
let person: Person;
let announced: SearchMatches[];
let announcementFails = false;
beforeAll(async () => {
  testApp = await startTestApp();
  collectAnnouncements();
});
beforeEach(async () => {
  await testApp.sql`DELETE FROM saved_searches`;
  expect(await testApp.sql`SELECT FROM saved_search_matches`).toHaveLength(0);
  await testApp.sql`DELETE FROM listings`;
  // Eleven in the morning in the campus time zone, hours after the daily alerts.
  testApp.clock.set(new Date('2026-03-04T19:00:00.000Z'));
  [seller, person] = [await testApp.signIn(), await testApp.signIn()];
  announced = [];
  announcementFails = false;
});
afterAll(() => testApp.close());

/** Collects the queued notifications about matches in `announced` instead of storing them. */
const collectAnnouncements = (): void => {
  const { enqueue } = testApp.jobs;
  const collect: App['jobs']['enqueue'] = async (tx, queue, payload, options) => {
    if (queue.name !== notificationQueue.name) return enqueue(tx, queue, payload, options);
    if (announcementFails) throw new Error('The announcement failed');
    const { event, items } = notificationQueue.payload.parse(payload);
    for (const { user_id: userId, subject_id: searchId, facts, count } of items) {
      const { listing_ids: listingIds } = facts as NotificationFacts<'search_matched'>;
      expect(listingIds).toHaveLength(count);
      const alert = event === 'search_matched' ? 'instant' : 'daily';
      announced.push({ userId, searchId, listingIds, alert });
    }
  };
  vi.spyOn(testApp.jobs, 'enqueue').mockImplementation(collect);
};

const url = '/rest/v1/me/saved-searches';
const send = async (
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
  path: string,
  payload?: object,
  by = person,
) => {
  const response = await testApp.server.inject({
    method,
    url: path,
    headers: by.headers,
    ...(payload ? { payload } : {}),
  });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const saveSearch = (query: object, alert = 'instant', by = person): Promise<SavedSearchWithNewCount> =>
  send('POST', url, { name: `Search for ${JSON.stringify(query)}`.slice(0, 80), query, alert }, by);
const change = (id: string, changes: object) => send('PATCH', `${url}/${id}`, changes);
const listNewCounts = async (by = person): Promise<number[]> =>
  (await send('GET', url, undefined, by)).items.map((it: SavedSearchWithNewCount) => it.new_count);

/** Gives a person a new access token, because a token is valid for only an hour. */
const renewToken = async (by: Person): Promise<void> => {
  const response = await testApp.server.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=refresh_token',
    payload: { refresh_token: by.refreshToken },
  });
  const { access_token: token, refresh_token: refreshToken } = response.json();
  Object.assign(by, { token, refreshToken, headers: { authorization: `Bearer ${token}` } });
};

const publish = async (form: ListingForm = {}, by = seller): Promise<string> => {
  const { status, body } = await submitListingForm(testApp, by, form);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.listing.id;
};
const post = async (path: string, payload: object = {}): Promise<void> => {
  const response = await testApp.server.inject({
    method: 'POST',
    url: path,
    headers: seller.headers,
    payload,
  });
  expect(response.statusCode, response.body).toBe(200);
};
const setStatus = async (id: string, status: string): Promise<void> => {
  const response = await testApp.server.inject({
    method: 'PATCH',
    url: `/rest/v1/me/listings/${id}`,
    headers: seller.headers,
    payload: { status },
  });
  expect(response.statusCode, response.body).toBe(200);
};
const runJob = () => testApp.jobs.repeatNow('match-missed-listings');
/** Advances the clock by the minute that matching waits after a publication or an edit, and runs the job. */
const match = async (): Promise<void> => {
  testApp.clock.advance(60);
  await testApp.jobs.runAll();
  await runJob();
};
const listAnnounced = () => announced.map(({ searchId, listingIds }) => ({ searchId, listingIds }));

test('a listing is announced 60 seconds after its publication to the people whose searches find it', async () => {
  const search = await saveSearch({ q: 'desk', max_price: 100 });
  const other = await testApp.signIn();
  const textless = await saveSearch({ category: 'furniture', min_price: 50 }, 'instant', other);
  const anything = await saveSearch({ condition: 'good' }, 'daily', other);
  for (const query of [{ q: 'lamp' }, { q: 'desk', max_price: 80 }, { q: 'desk', category: 'kitchen' }])
    await saveSearch(query);
  const id = await publish();
  testApp.clock.advance(59);
  await testApp.jobs.runAll();
  await runJob();
  expect(announced).toEqual([]);
  testApp.clock.advance(1);
  await runJob();
  expect(announced).toHaveLength(2);
  expect(announced).toEqual(
    expect.arrayContaining([
      {
        userId: person.userId,
        searchId: search.id,
        listingIds: [id],
        alert: 'instant',
      },
      {
        userId: other.userId,
        searchId: textless.id,
        listingIds: [id],
        alert: 'instant',
      },
    ]),
  );
  expect((await listNewCounts()).toSorted()).toEqual([0, 0, 0, 1]);
  const { items } = await send('GET', url, undefined, other);
  expect(new Map(items.map((it: SavedSearchWithNewCount) => [it.id, it.new_count]))).toEqual(
    new Map([
      [anything.id, 1],
      [textless.id, 1],
    ]),
  );
});

test('a match of a deleted search is announced once the search is restored', async () => {
  const { id: searchId, name, query, alert } = await saveSearch({ q: 'desk' });
  const listingId = await publish();
  testApp.clock.advance(55);
  await testApp.server.inject({ method: 'DELETE', url: `${url}/${searchId}`, headers: person.headers });
  testApp.clock.advance(6);
  await runJob();
  expect(announced).toEqual([]);
  await send('POST', url, { name, query, alert, restores: searchId });
  await runJob();
  expect(listAnnounced()).toEqual([{ searchId, listingIds: [listingId] }]);
});

test('nothing is announced about a listing that was unpublished, deleted or taken down within the minute', async () => {
  await saveSearch({ q: 'desk' });
  const [unpublished, deleted, hidden] = [
    await publish(),
    await publish({ price: 2 }),
    await publish({ price: 3 }),
  ];
  await setStatus(unpublished, 'draft');
  await testApp.server.inject({
    method: 'DELETE',
    url: `/rest/v1/me/listings/${deleted}`,
    headers: seller.headers,
  });
  await testApp.sql`
    UPDATE listings SET status = 'draft', hidden_at = ${testApp.clock.now()}, hidden_with = 'listing' WHERE id = ${hidden}`;
  await match();
  await removeDeletedListings(testApp);
  await match();
  expect(announced).toEqual([]);
  expect(await listNewCounts()).toEqual([0]);
  await testApp.sql`DELETE FROM listings WHERE id = ${hidden}`;
});

test('a listing deleted in its first minute and restored later is matched when it is restored', async () => {
  await saveSearch({ q: 'desk' });
  const id = await publish();
  testApp.clock.advance(55);
  await testApp.server.inject({
    method: 'DELETE',
    url: `/rest/v1/me/listings/${id}`,
    headers: seller.headers,
  });
  testApp.clock.advance(6);
  await runJob();
  expect(announced).toEqual([]);
  await post(`/rest/v1/me/listings/${id}/restore`);
  await runJob();
  expect(announced).toMatchObject([{ listingIds: [id] }]);
});

test('a listing is announced when a price drop or another edit makes it match, but not after other edits', async () => {
  const id = await publish({ price: 120 });
  await match();
  const cheap = await saveSearch({ q: 'desk', max_price: 100 });
  await saveSearch({ q: 'oak' });
  const walnut = await saveSearch({ q: 'walnut' });
  await publish({ id, price: 110 });
  await match();
  expect(announced).toEqual([]);
  await publish({ id, price: 90 });
  await match();
  expect(listAnnounced()).toEqual([{ searchId: cheap.id, listingIds: [id] }]);
  await publish({ id, price: 90, title: 'Solid walnut desk with two drawers' });
  await match();
  expect(listAnnounced().at(-1)).toEqual({ searchId: walnut.id, listingIds: [id] });
  expect(announced).toHaveLength(2);
});

test('recording a visit to the results returns the new matches, however old their listings are', async () => {
  const older = await publish({ price: 120 });
  await match();
  const search = await saveSearch({ q: 'desk', max_price: 100 });
  testApp.clock.advance(1);
  await publish({ id: older, price: 90 });
  const newer = await publish({ price: 80 });
  const sold = await publish({ price: 70 });
  await match();
  await post(`/rest/v1/me/listings/${sold}/sold`);
  const listNew = async (changes: object) => (await change(search.id, changes)).new_listing_ids.toSorted();
  expect(await listNew({ name: 'Desks' })).toEqual([]);
  expect(await listNew({ visited: true })).toEqual([older, newer].toSorted());
  testApp.clock.advance(1);
  expect(await listNew({ visited: true })).toEqual([]);
});

test('the most recent matches are listed first, even if their listings are older', async () => {
  const { id } = await saveSearch({ q: 'desk', max_price: 100 }, 'off');
  const ids = [await publish({ price: 101 }), await publish({ price: 102 })];
  for (const price of [1, 2, 3, 4]) ids.unshift(await publish({ price }));
  await match();
  for (const listing of ids.slice(-2)) {
    await publish({ id: listing, price: 99 });
    await match();
  }
  const moment = { now: testApp.clock.now(), campus: defaultCampus, limit: 2 };
  expect(await listNewMatches(testApp.sql, id, moment)).toEqual(ids.slice(-2).toReversed());
});

test('promise 74: a listing is announced once per search, however often it leaves and matches again', async () => {
  const search = await saveSearch({ q: 'desk', max_price: 100 });
  const id = await publish({ price: 90 });
  await match();
  for (const price of [120, 80, 150, 70]) {
    await publish({ id, price });
    testApp.clock.advance(20 * 60);
    await renewToken(seller);
    await match();
  }
  await setStatus(id, 'draft');
  await match();
  await setStatus(id, 'published');
  await match();
  await post(`/rest/v1/me/listings/${id}/sold`, { to_user_id: null });
  await match();
  await post(`/rest/v1/me/listings/${id}/relist`);
  testApp.clock.advance(20 * 60);
  await match();
  expect(listAnnounced()).toEqual([{ searchId: search.id, listingIds: [id] }]);
});

test('promise 74: jobs that run at the same time announce a listing once', async () => {
  await saveSearch({ q: 'desk' });
  const ids = [await publish(), await publish({ price: 2 }), await publish({ price: 3 })];
  testApp.clock.advance(60);
  await Promise.all(Array.from({ length: 8 }, runJob));
  testApp.clock.advance(15 * 60);
  await Promise.all(Array.from({ length: 8 }, runJob));
  expect(announced.flatMap(({ listingIds }) => listingIds).toSorted()).toEqual(ids.toSorted());
});

test('promise 74: an announcement that fails is repeated, and its matches are not lost', async () => {
  await saveSearch({ q: 'desk' });
  const id = await publish();
  testApp.clock.advance(60);
  announcementFails = true;
  await expect(runJob()).rejects.toThrow('The announcement failed');
  announcementFails = false;
  await runJob();
  await runJob();
  expect(announced).toMatchObject([{ listingIds: [id] }]);
});

test('a listing published before the search was saved, or before its results were visited, is not new', async () => {
  const visited = await saveSearch({ q: 'desk' });
  await publish();
  testApp.clock.advance(30);
  await saveSearch({ category: 'furniture', max_price: 200 });
  await change(visited.id, { visited: true });
  await match();
  expect(announced).toEqual([]);
  expect(await listNewCounts()).toEqual([0, 0]);
});

test('a listing published after the results that the person saw is announced, although the visit was recorded later', async () => {
  const search = await saveSearch({ q: 'desk' });
  testApp.clock.advance(10);
  const resultsAt = testApp.clock.now().toISOString();
  testApp.clock.advance(1);
  const first = await publish();
  testApp.clock.advance(5);
  expect(await change(search.id, { visited: true, results_at: resultsAt })).toMatchObject({
    visited_at: resultsAt,
    new_listing_ids: [],
  });
  await match();
  expect(listAnnounced()).toEqual([{ searchId: search.id, listingIds: [first] }]);
  expect(await listNewCounts()).toEqual([1]);
  // A page that the browser has cached changes nothing, and neither does a clock that is wrong.
  await change(search.id, { visited: true, results_at: '2000-01-01T00:00:00.000Z' });
  expect(await listNewCounts()).toEqual([1]);
  await change(search.id, { visited: true, results_at: '2999-01-01T00:00:00.000Z' });
  expect(await listNewCounts()).toEqual([0]);
  testApp.clock.advance(15 * 60);
  const second = await publish();
  await match();
  expect(listAnnounced()).toContainEqual({ searchId: search.id, listingIds: [second] });
});

test('a match that waits for its alert is announced although older results are opened', async () => {
  const search = await saveSearch({ q: 'desk' }, 'daily');
  const resultsAt = testApp.clock.now().toISOString();
  testApp.clock.advance(60);
  const id = await publish();
  await match();
  await change(search.id, { visited: true, results_at: resultsAt });
  testApp.clock.advance(86_400);
  await runJob();
  expect(listAnnounced()).toEqual([{ searchId: search.id, listingIds: [id] }]);
});

test('listings of the person who saved the search do not match', async () => {
  await saveSearch({ q: 'desk' }, 'instant', seller);
  await publish();
  await match();
  expect(announced).toEqual([]);
  expect(await listNewCounts(seller)).toEqual([0]);
});

test('instant alerts are grouped: at most one per search in 15 minutes', async () => {
  await saveSearch({ q: 'desk' });
  const first = await publish();
  await match();
  const later = [await publish({ price: 2 })];
  await match();
  testApp.clock.advance(5 * 60);
  later.push(await publish({ price: 3 }));
  await match();
  expect(announced).toHaveLength(1);
  testApp.clock.advance(15 * 60 - 5 * 60 - 2 * 60 - 1);
  await runJob();
  expect(announced).toHaveLength(1);
  testApp.clock.advance(1);
  await runJob();
  expect(announced.map(({ listingIds }) => listingIds)).toEqual([[first], later.toReversed()]);
});

test('daily alerts are announced together at eight in the morning on the campus', async () => {
  const search = await saveSearch({ q: 'desk' }, 'daily');
  const ids = [await publish()];
  await match();
  ids.push(await publish({ price: 2 }));
  await match();
  testApp.clock.set(new Date('2026-03-05T15:59:59.000Z'));
  await runJob();
  expect(announced).toEqual([]);
  testApp.clock.set(new Date('2026-03-05T16:00:00.000Z'));
  await runJob();
  await runJob();
  expect(announced).toMatchObject([{ searchId: search.id, alert: 'daily' }]);
  expect(announced[0]?.listingIds.toSorted()).toEqual(ids.toSorted());
  await renewToken(seller);
  ids.push(await publish({ price: 3 }));
  await match();
  // The new match is announced at eight on the next morning.
  testApp.clock.set(new Date('2026-03-06T16:00:00.000Z'));
  await runJob();
  expect(announced.slice(1)).toMatchObject([{ listingIds: ids.slice(2) }]);
});

test('daily alerts are announced at eight even after the clocks have changed', async () => {
  await saveSearch({ q: 'desk' }, 'daily');
  testApp.clock.set(new Date('2026-03-07T20:00:00.000Z'));
  await renewToken(seller);
  await publish();
  await match();
  // Daylight-saving time begins on March 8, so eight in the morning is an hour earlier in UTC.
  testApp.clock.set(new Date('2026-03-08T14:59:59.000Z'));
  await runJob();
  expect(announced).toEqual([]);
  testApp.clock.set(new Date('2026-03-08T15:00:00.000Z'));
  await runJob();
  expect(announced).toHaveLength(1);
});

test('searches without alerts only count new matches, and a visit of the results resets the count', async () => {
  const search = await saveSearch({ q: 'desk' }, 'off');
  await publish();
  await match();
  expect(announced).toEqual([]);
  expect(await listNewCounts()).toEqual([1]);
  testApp.clock.advance(1);
  expect(await change(search.id, { visited: true })).toMatchObject({
    visited_at: testApp.clock.now().toISOString(),
  });
  expect(await listNewCounts()).toEqual([0]);
  const sold = await publish({ price: 2 });
  await match();
  expect(await listNewCounts()).toEqual([1]);
  await post(`/rest/v1/me/listings/${sold}/sold`, { to_user_id: null });
  expect(await listNewCounts()).toEqual([0]);
  // Matches found while alerts were off are never announced.
  await change(search.id, { alert: 'instant' });
  await runJob();
  expect(announced).toEqual([]);
});

test('a match that was seen, no longer matches, or had its alert turned off is not announced', async () => {
  const [seen, off, other, gone] = [
    await saveSearch({ q: 'desk' }, 'daily'),
    await saveSearch({ q: 'oak' }, 'daily'),
    await saveSearch({ q: 'drawers' }, 'daily'),
    await saveSearch({ q: 'desk', max_price: 90 }, 'daily'),
  ];
  const id = await publish();
  await match();
  await change(seen.id, { visited: true });
  await change(off.id, { alert: 'off' });
  await change(off.id, { alert: 'daily' });
  await change(other.id, { query: { q: 'chair' } });
  await publish({ id, price: 95 });
  await match();
  expect(await listNewCounts()).toEqual(expect.arrayContaining([0, 0, 1]));
  testApp.clock.advance(86_400);
  await runJob();
  expect(announced).toEqual([]);
  await renewToken(person);
  await change(gone.id, { name: 'Still there' });
});

test.each([
  ['when its alert was due', false],
  ['when the results were visited', true],
])('a listing that did not match %s is announced after it matches again', async (_, isVisited) => {
  const search = await saveSearch({ q: 'desk', max_price: 120 }, 'daily');
  const [expensive, draft] = [await publish({ price: 110 }), await publish({ price: 90 })];
  await match();
  await publish({ id: expensive, price: 150 });
  await setStatus(draft, 'draft');
  await match();
  if (isVisited) await change(search.id, { visited: true });
  testApp.clock.set(new Date('2026-03-05T16:00:00.000Z'));
  await runJob();
  await renewToken(seller);
  await publish({ id: expensive, price: 100 });
  await setStatus(draft, 'published');
  await match();
  expect(announced).toEqual([]);
  testApp.clock.set(new Date('2026-03-06T16:00:00.000Z'));
  await runJob();
  expect(announced).toMatchObject([{ searchId: search.id }]);
  expect(announced[0]?.listingIds.toSorted()).toEqual([expensive, draft].toSorted());
});

test('changed alert settings do not announce a match that only a badge made valid again', async () => {
  const search = await saveSearch({ q: 'desk', verified: 'true' }, 'daily');
  await publish();
  await match();
  const setBadge = (isVerified: boolean) =>
    testApp.sql`UPDATE users SET usc_verified = ${isVerified} WHERE id = ${seller.userId}`;
  await setBadge(false);
  testApp.clock.set(new Date('2026-03-05T16:00:00.000Z'));
  await runJob();
  await setBadge(true);
  await renewToken(person);
  await send('PATCH', '/rest/v1/me/notification-settings', { digest_hour: 9 });
  testApp.clock.set(new Date('2026-03-06T18:00:00.000Z'));
  await runJob();
  await renewToken(person);
  await change(search.id, { alert: 'instant' });
  await runJob();
  expect(announced).toEqual([]);
});

test('a listing that briefly stops matching while the alert is due is announced in the next alert', async () => {
  const search = await saveSearch({ q: 'desk', max_price: 120 }, 'daily');
  const id = await publish({ price: 110 });
  await match();
  testApp.clock.set(new Date('2026-03-05T15:59:50.000Z'));
  await renewToken(seller);
  await publish({ id, price: 150 });
  testApp.clock.advance(20);
  await runJob();
  await publish({ id, price: 110 });
  await match();
  testApp.clock.set(new Date('2026-03-06T16:00:00.000Z'));
  await runJob();
  expect(listAnnounced()).toEqual([{ searchId: search.id, listingIds: [id] }]);
});

test('changing a search from daily to instant announces its waiting matches', async () => {
  const search = await saveSearch({ q: 'desk' }, 'daily');
  const id = await publish();
  await match();
  await change(search.id, { alert: 'instant' });
  await runJob();
  expect(announced).toMatchObject([{ listingIds: [id], alert: 'instant' }]);
});

test("a listing is announced when an edit makes it match, but not when passing time or the seller's new badge does", async () => {
  const today = toCampusDay(defaultCampus, testApp.clock.now());
  const form = {
    category: 'game-day',
    price: 40,
    title: 'Two tickets for the game',
    gameDate: addDays(today, 7),
  };
  const stranger = await testApp.signIn({ email: `badge-${Date.now()}@home.example` });
  const id = await publish(form, stranger);
  await match();
  await saveSearch({ category: 'game-day', game_date: 'this-week' });
  await saveSearch({ category: 'game-day', verified: 'true' });
  testApp.clock.advance(7 * 86_400);
  await renewToken(stranger);
  await testApp.sql`UPDATE users SET usc_verified = true WHERE id = ${stranger.userId}`;
  await publish({ ...form, id, price: 39 }, stranger);
  await match();
  expect(announced).toEqual([]);
  await publish({ ...form, id, gameDate: addDays(today, 21) }, stranger);
  await match();
  await publish({ ...form, id, gameDate: addDays(today, 8) }, stranger);
  await match();
  expect(announced).toMatchObject([{ listingIds: [id] }]);
});

test('a listing edited within its first minute is matched in its edited form', async () => {
  const desk = await saveSearch({ q: 'desk' });
  const table = await saveSearch({ q: 'table' });
  const id = await publish();
  await publish({
    id,
    title: 'Solid oak table with two drawers',
    description: 'A sturdy table for two. '.repeat(3),
  });
  await match();
  expect(listAnnounced()).toEqual([{ searchId: table.id, listingIds: [id] }]);
  expect(await change(desk.id, { visited: true })).toMatchObject({ id: desk.id });
});

describe('listings of a seller who was away', () => {
  const leave = async (days: number): Promise<void> => {
    const until = addDays(toCampusDay(defaultCampus, testApp.clock.now()), days);
    await send('PUT', '/rest/v1/me/away', { until }, seller);
  };
  const comeBack = () => send('DELETE', '/rest/v1/me/away', undefined, seller);
  /** A minute after the midnight that begins March 7, the day of return. */
  const atReturn = new Date('2026-03-07T08:01:00.000Z');

  test('match searches that were saved meanwhile on the day of return, and not before', async () => {
    const id = await publish();
    await match();
    await leave(3);
    testApp.clock.advance(1);
    const search = await saveSearch({ q: 'desk' });
    await match();
    testApp.clock.set(new Date(atReturn.getTime() - 1));
    await runJob();
    expect(announced).toEqual([]);
    testApp.clock.set(atReturn);
    await runJob();
    expect(listAnnounced()).toEqual([{ searchId: search.id, listingIds: [id] }]);
  });

  test('match a minute after an early return', async () => {
    const id = await publish();
    await match();
    await leave(3);
    testApp.clock.advance(1);
    const search = await saveSearch({ q: 'desk' });
    await comeBack();
    await match();
    expect(listAnnounced()).toEqual([{ searchId: search.id, listingIds: [id] }]);
  });

  test('do not match searches that found them before', async () => {
    await saveSearch({ q: 'desk' });
    await publish();
    await match();
    testApp.clock.advance(20 * 60);
    await saveSearch({ q: 'oak' });
    expect(announced).toHaveLength(1);
    await leave(3);
    await leave(2);
    await comeBack();
    await match();
    await leave(1);
    testApp.clock.set(atReturn);
    await runJob();
    expect(announced).toHaveLength(1);
  });

  test('match searches that find them after an edit', async () => {
    const search = await saveSearch({ q: 'desk', max_price: 50 });
    const id = await publish({ price: 80 });
    await match();
    await leave(3);
    await publish({ id, price: 40 });
    await match();
    expect(announced).toEqual([]);
    testApp.clock.set(atReturn);
    await runJob();
    expect(listAnnounced()).toEqual([{ searchId: search.id, listingIds: [id] }]);
  });

  test.each(['just before the seller left', 'meanwhile'])(
    'match on the day of return if they were published %s',
    async (time) => {
      const search = await saveSearch({ q: 'desk' });
      const before = time === 'meanwhile' ? undefined : await publish();
      await leave(3);
      const id = before ?? (await publish());
      await match();
      expect(announced).toEqual([]);
      testApp.clock.set(atReturn);
      await runJob();
      expect(listAnnounced()).toEqual([{ searchId: search.id, listingIds: [id] }]);
    },
  );
});

describe('matches of deleted searches or listings', () => {
  const storeMatch = (searchId: string, listingId: string) => testApp.sql`
    INSERT INTO saved_search_matches (search_id, listing_id, matched_at, announce_at)
    VALUES (${searchId}, ${listingId}, now(), ${testApp.clock.now()})`;

  test('are deleted together with the search', async () => {
    const desk = await saveSearch({ q: 'desk' });
    const lamp = await saveSearch({ q: 'lamp' });
    for (const { id } of [desk, lamp]) await storeMatch(id, randomUUID());
    await testApp.server.inject({ method: 'DELETE', url: `${url}/${desk.id}`, headers: person.headers });
    testApp.clock.advance(20);
    await testApp.jobs.repeatNow('remove-deleted-searches');
    expect(await testApp.sql`SELECT search_id FROM saved_search_matches`).toEqual([{ search_id: lamp.id }]);
  });

  test('are removed by a job if the listing is gone or they were stored while the search was deleted', async () => {
    const { id } = await saveSearch({ q: 'desk' });
    const listingId = await publish();
    await storeMatch(id, listingId);
    await storeMatch(id, randomUUID());
    await storeMatch(randomUUID(), listingId);
    await testApp.jobs.repeatNow('remove-stale-matches');
    expect(await testApp.sql`SELECT search_id, listing_id FROM saved_search_matches`).toEqual([
      { search_id: id, listing_id: listingId },
    ]);
  });

  test('do not delay the announcement of other matches', async () => {
    for (let number = 0; number < 201; number += 1) await storeMatch(randomUUID(), randomUUID());
    await saveSearch({ q: 'desk' });
    testApp.clock.advance(1);
    await publish();
    await match();
    expect(announced).toHaveLength(1);
    await testApp.jobs.repeatNow('remove-stale-matches');
  });
});
