import { setTimeout as delay } from 'node:timers/promises';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { openBenchEnvironment } from '../environment.ts';
import { addUser, signIn } from '../people.ts';

const listingsPerSecond = 2;
const sellerEmail = 'seller@usc.edu';
/** Maximum time in ms to wait for the last notifications. */
const timeoutMs = 4 * 60_000;

/**
 * Publishes a copy of a stored listing through the API; returns the id of the copy, or undefined when its
 * category requires more fields.
 */
const publishCopy = async (
  sql: Sql,
  { origin, token, id }: { origin: string; token: string; id: string },
): Promise<string | undefined> => {
  const [row] = await sql`
    SELECT title, category, condition, price::float8, description, location FROM listings WHERE id = ${id}`;
  const response = await fetch(`${origin}/functions/v1/create-listing`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ ...row, contactEmail: sellerEmail, photos: [], status: 'published' }),
  });
  const body = (await response.json()) as { listing?: { id: string } };
  return body.listing?.id;
};

const isAnythingWaiting = async (sql: Sql): Promise<boolean> => {
  const [row] = await sql<{ is_waiting: boolean }[]>`
    SELECT EXISTS (SELECT FROM listings_to_match) OR EXISTS (
      SELECT FROM saved_search_matches m JOIN saved_searches s ON s.id = m.search_id
      WHERE m.announce_at <= now() AND s.alert = 'instant'
    ) OR EXISTS (SELECT FROM pgboss.job WHERE name = 'notify' AND state < 'completed') AS is_waiting`;
  return row?.is_waiting ?? false;
};

/**
 * Starts a server and publishes two listings per second on it. Returns the delays between the publication of
 * a listing and each notification about it, in seconds, in ascending order.
 */
export const measureNotificationDelays = async (
  environment: Awaited<ReturnType<typeof openBenchEnvironment>>,
  sql: Sql,
  listingIds: readonly string[],
): Promise<{ published: number; seconds: number[] }> => {
  await addUser(sql, sellerEmail);
  await sql`TRUNCATE saved_search_matches, listings_to_match`;
  await sql`UPDATE saved_searches SET announced_at = NULL WHERE announced_at IS NOT NULL`;
  await sql`VACUUM ANALYZE saved_searches`;
  const quad = await environment.spawnQuad({ NODE_ENV: 'development', QUAD_RATE_LIMITS: 'off' });
  const token = await signIn(quad.origin, sellerEmail);
  const publishing: Promise<string | undefined>[] = [];
  for (const id of listingIds) {
    publishing.push(publishCopy(sql, { origin: quad.origin, token, id }));
    await delay(1000 / listingsPerSecond);
  }
  const published = (await Promise.all(publishing)).filter((id) => id !== undefined);
  for (const begun = performance.now(); await isAnythingWaiting(sql); await delay(1000))
    if (performance.now() - begun > timeoutMs) throw new Error('The notifications did not arrive');
  // If a notification is about several listings, the query returns the time since the first of them was
  // published.
  const rows = await sql<{ seconds: number }[]>`
    SELECT extract(epoch FROM n.created_at - min(l.created_at))::float8 AS seconds
    FROM notifications n, jsonb_array_elements_text(n.facts -> 'listing_ids') AS named (id)
    JOIN listings l ON l.id = named.id::uuid
    WHERE n.event = 'search_matched' AND l.id = ANY (${published}::uuid[])
    GROUP BY n.id ORDER BY seconds`;
  return { published: published.length, seconds: rows.map(({ seconds }) => seconds) };
};
