import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import {
  type Actors,
  createActors,
  createAuthorizationFixtures,
  createNonexistentFixtures,
  digestDatabase,
} from '#server/testing/authorization-fixtures.ts';
import { authorizationTable } from '#server/testing/authorization-table.ts';

let testApp: TestApp;
let actors: Actors;
/** The person named in forged fields, whose data must never change. */
let victim: Person;

beforeAll(async () => {
  testApp = await startTestApp();
  actors = await createActors(testApp);
  victim = await testApp.signIn({ email: 'victim@elsewhere.example', fullName: 'Vic Victim' });
  await createAuthorizationFixtures(testApp, { ...actors, owner: victim });
});
afterAll(() => testApp.close());

const createForgedFields = (): Record<string, unknown> => ({
  user_id: victim.userId,
  userId: victim.userId,
  owner_id: victim.userId,
  seller_id: victim.userId,
  sellerId: victim.userId,
  buyer_id: victim.userId,
  sender_id: victim.userId,
  id: victim.userId,
  email: victim.email,
  usc_verified: true,
  uscVerified: true,
  campus_address: { email: 'dean@usc.edu', verified_at: '2020-01-01T00:00:00.000Z' },
  verified_at: '2020-01-01T00:00:00.000Z',
  badge_removed_at: null,
  confirmed_at: '2020-01-01T00:00:00.000Z',
  email_verified: true,
  app_metadata: { usc_verified: true, role: 'admin' },
  data: { usc_verified: true, email: 'dean@usc.edu', id: victim.userId },
  seq: 4711,
  last_seq: 4711,
  slug: 'chosen-by-the-sender',
  created_at: '2020-01-01T00:00:00.000Z',
  published_at: '2020-01-01T00:00:00.000Z',
  avatar_url: 'https://evil.example/a.png',
});

/** Returns the values that only the server may set and all data of the victim. */
const readProtectedData = async (): Promise<unknown> => {
  const { sql } = testApp;
  const people = Object.values(actors).map(({ userId }) => userId);
  return {
    people: await sql`
      SELECT id, email, usc_verified, avatar_url, u.created_at, confirmed_at
      FROM users u JOIN private.credentials ON user_id = id WHERE id = ANY (${people}) ORDER BY id`,
    verified: (await sql`SELECT count(*)::int AS count FROM users WHERE usc_verified`)[0],
    victim: await sql`
      SELECT u::text AS text FROM users u WHERE id = ${victim.userId}
      UNION ALL SELECT l::text FROM listings l WHERE user_id = ${victim.userId}
      UNION ALL SELECT c::text FROM conversations c WHERE ${victim.userId} IN (buyer_id, seller_id)
      UNION ALL SELECT m::text FROM messages m WHERE sender_id = ${victim.userId}
      UNION ALL SELECT o::text FROM private.objects o WHERE owner_id = ${victim.userId}
      UNION ALL SELECT f::text FROM private.forms f WHERE user_id = ${victim.userId}
      UNION ALL SELECT s::text FROM private.sessions s WHERE user_id = ${victim.userId} ORDER BY 1`,
    // The queries `gaps` and `chosen` find rows in which forged sequence numbers, times or slugs were stored.
    gaps: await sql`
      SELECT conversation_id FROM messages GROUP BY conversation_id
      HAVING max(seq) <> count(*) OR min(created_at) < '2021-01-01'`,
    chosen: await sql`
      SELECT id FROM listings WHERE slug LIKE 'chosen-by%' OR created_at < '2021-01-01' OR published_at < '2021-01-01'`,
  };
};

describe('promise 16: forged fields in a body are ignored or refused', () => {
  const changingRows = Object.entries(authorizationTable).filter(
    ([name, { status, request, final }]) =>
      !(name.startsWith('GET') || final) &&
      status.other < 300 &&
      request(createNonexistentFixtures()).body &&
      !name.includes('('),
  );

  test.each(changingRows)('%s', async (name, row) => {
    const [method = '', path = ''] = name.split(' ');
    const fixtures = await createAuthorizationFixtures(testApp, actors);
    const values = createForgedFields();
    for (const field of Object.keys(values)) {
      const { params = {}, body = {} } = row.request({
        ...fixtures,
        newcomer: createNonexistentFixtures().newcomer,
      });
      // Skip fields that belong to the call's own body.
      if (field in body) continue;
      // Delete earlier offers, because a buyer has at most one open deal about a listing.
      await testApp.sql`DELETE FROM deals WHERE state = 'offered'`;
      // Delete earlier wanted posts, because a person has at most five.
      if (name === 'POST /rest/v1/me/wanted') await testApp.sql`DELETE FROM wanted_posts`;
      const before = await readProtectedData();
      const digest = await digestDatabase(testApp);
      const { statusCode } = await testApp.server.inject({
        method: method as 'POST',
        url: path.replace(/\{(\w+)\}/g, (_, param: string) => String(params[param])),
        headers: actors.other.headers,
        payload: { ...body, [field]: values[field] },
      });
      const description = `${name} with ${field} returned ${statusCode}`;
      expect([200, 400, 404], description).toContain(statusCode);
      if (statusCode !== 200) expect(await digestDatabase(testApp), description).toBe(digest);
      expect(await readProtectedData(), description).toEqual(before);
    }
  });

  test.each([
    ['/rest/v1/me/listings?status=draft&user_id=', 'A secret draft'],
    ['/rest/v1/listings?status=draft&user_id=', 'A secret draft'],
    ['/rest/v1/conversations?buyer_id=', 'between you and me'],
    ['/rest/v1/me?id=', 'victim@elsewhere.example'],
  ])('%s of another person in the query reveals nothing', async (url, secret) => {
    const { body } = await testApp.server.inject({
      url: url + victim.userId,
      headers: actors.stranger.headers,
    });
    expect(body).not.toContain(secret);
  });
});
