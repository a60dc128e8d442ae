import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { calls } from '#contract/calls.ts';
import { inboxPageSize, messageSchema } from '#contract/conversations.ts';
import { maxSimilarMatches, maxSuggestions } from '#contract/paging.ts';
import { maxPhotos } from '#contract/photos.ts';
import { unreadEventSchema, userJoinedSchema } from '#contract/realtime.ts';
import { loadPagesBuild } from '#server/pages/load-build.ts';
import { type Person, startTestApp, type TestApp } from '#server/testing/app.ts';
import { insertPhoto } from '#server/testing/listings.ts';

type CallName = keyof typeof calls;

const limitPhotoArrays = (listing: string) => ({
  [`${listing}.photos`]: maxPhotos,
  [`${listing}.images`]: maxPhotos,
});

/** Maximum length of each array in a call's output, by path. The data export is streamed and has no maximum. */
const maxLengths: Partial<Record<CallName, Record<string, number> | 'streamed'>> = {
  downloadMyData: 'streamed',
  listListings: { items: 100 },
  listSimilarMatches: { items: maxSimilarMatches },
  suggestListings: { items: maxSuggestions },
  getListing: { photos: maxPhotos, images: maxPhotos },
  listSimilar: { items: 4 },
  createListing: limitPhotoArrays('listing'),
  listMyListings: { items: 500, ...limitPhotoArrays('items[]') },
  getMyListing: { photos: maxPhotos, images: maxPhotos },
  setListingStatus: { photos: maxPhotos, images: maxPhotos },
  listConversations: { items: inboxPageSize },
  listMessages: { items: 500 },
};

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  type?: string;
  additionalProperties?: unknown;
}

/** Returns the paths of all arrays in a schema, such as `items[].photos`. */
const findArrayPaths = (schema: JsonSchema, path = ''): string[] => [
  ...(schema.type === 'array' ? [path, ...findArrayPaths(schema.items ?? {}, `${path}[]`)] : []),
  ...(schema.anyOf ?? []).flatMap((option) => findArrayPaths(option, path)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    findArrayPaths(part, path ? `${path}.${name}` : name),
  ),
];

const toJsonSchema = (output: z.ZodType) => z.toJSONSchema(output, { unrepresentable: 'any' }) as JsonSchema;

test('promise 55: every array that a call returns has a maximum length', () => {
  for (const [name, { output }] of Object.entries(calls)) {
    const maxLength = maxLengths[name as CallName];
    if (maxLength === 'streamed') continue;
    expect(Object.keys(maxLength ?? {}).sort(), name).toEqual(findArrayPaths(toJsonSchema(output)).sort());
  }
});

/**
 * Lists that cannot grow: the few best suggestions, similar matches of a search, and the similar listings below a
 * listing.
 */
const unpagedCalls = ['suggestListings', 'listSimilarMatches', 'listSimilar'];

test('promise 55: every list that can grow is paged', () => {
  for (const [name, call] of Object.entries(calls)) {
    const { output, query }: { output: z.ZodType; query?: z.ZodType } = call;
    const fields = Object.keys(toJsonSchema(output).properties ?? {});
    if (!fields.includes('items') || unpagedCalls.includes(name)) continue;
    const paged = fields.includes('next_cursor') ? ['cursor'] : ['after_seq', 'before_seq'];
    expect(Object.keys(toJsonSchema(query ?? z.object({})).properties ?? {}), name).toEqual(
      expect.arrayContaining(paged),
    );
    expect(fields, name).toContain(fields.includes('next_cursor') ? 'next_cursor' : 'more');
  }
});

test('promise 55: socket events contain no arrays; each message is a separate frame', () => {
  for (const schema of [messageSchema, unreadEventSchema, userJoinedSchema])
    expect(findArrayPaths(toJsonSchema(schema))).toEqual([]);
});

const rowCount = 620;

describe('with more rows than any page or array may contain', () => {
  let quad: TestApp;
  let owner: Person;
  let buyer: Person;
  let conversation: string;
  let slug: string;
  let listing: string;

  beforeAll(async () => {
    quad = await startTestApp({ deps: { pages: await loadPagesBuild() } });
    [owner, buyer] = [await quad.signIn(), await quad.signIn()];
    const urls = await Promise.all(
      Array.from({ length: maxPhotos }, (_, index) => insertPhoto(quad, owner, `${index}.jpg`)),
    );
    const now = quad.clock.now();
    const rows = await quad.sql<{ id: string; slug: string }[]>`
      INSERT INTO listings (slug, user_id, title, description, price, photos, category, condition, location, status,
        contact_email, created_at, updated_at, published_at)
      SELECT 'desk-' || n, ${owner.userId}, 'Solid oak desk no. ' || n, repeat('Sturdy. ', 10), 10, ${urls},
        'furniture', 'good', 'Village', 'published', 'seller@usc.edu', ${now}, ${now}, ${now}
      FROM generate_series(1, ${rowCount}::int) AS n RETURNING id, slug`;
    [{ id: listing = '', slug = '' } = {}] = rows;
    await quad.sql`
      INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at, last_seq)
      SELECT id, title, ${buyer.userId}, ${owner.userId}, created_at, created_at, 1 FROM listings`;
    const [first] = await quad.sql<{ id: string }[]>`
      UPDATE conversations SET last_seq = ${rowCount} WHERE listing_id = ${listing} RETURNING id`;
    conversation = first?.id ?? '';
    await quad.sql`
      INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
      SELECT ${conversation}, n, ${buyer.userId}, gen_random_uuid(), 'Hello', ${now}
      FROM generate_series(1, ${rowCount}::int) AS n`;
  });
  afterAll(() => quad.close());

  const get = async (url: string) => {
    const { statusCode, body } = await quad.app.inject({ url, headers: owner.headers });
    expect(statusCode, url).toBe(200);
    return body;
  };

  /** Returns, for each call that reads lists, the URL that requests as many elements as allowed. */
  const requests = (): Partial<Record<CallName, string>> => ({
    listListings: '/rest/v1/listings?limit=100',
    listSimilarMatches: '/rest/v1/listings/similar-matches?q=desks',
    suggestListings: '/rest/v1/listings/suggestions?q=desk',
    getListing: `/rest/v1/listings/${slug}`,
    listSimilar: `/rest/v1/listings/${slug}/similar`,
    listMyListings: '/rest/v1/me/listings?limit=500',
    getMyListing: `/rest/v1/me/listings/${listing}`,
    listConversations: '/rest/v1/conversations',
    listMessages: `/rest/v1/conversations/${conversation}/messages?limit=500`,
  });

  /** Returns the length of the array at a path; within an array, the path follows its first element. */
  const measureArray = (value: unknown, path: string): number => {
    let part = value;
    for (const step of path.split('.')) {
      part = (part as Record<string, unknown>)[step.replace('[]', '')];
      if (step.endsWith('[]')) part = (part as unknown[])[0];
    }
    return (part as unknown[]).length;
  };

  test('promise 55: every call that reads lists returns exactly its maximum number of elements', async () => {
    const boundedReads = Object.entries(maxLengths).filter(([name, maxLength]) => {
      const { method } = calls[name as CallName];
      return method === 'GET' && maxLength !== 'streamed';
    });
    expect(Object.keys(requests()).sort()).toEqual(boundedReads.map(([name]) => name).sort());
    for (const [name, maxLength] of boundedReads) {
      const body = JSON.parse(await get(requests()[name as CallName] ?? ''));
      for (const [path, most] of Object.entries(maxLength))
        expect(measureArray(body, path), `${name} ${path}`).toBe(most);
    }
  });

  test.each(['/rest/v1/listings?limit=100', '/rest/v1/me/listings?limit=500', '/rest/v1/conversations?'])(
    'promise 55: %s can be read to its end page by page',
    async (url) => {
      const ids = new Set<string>();
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: { items: { id: string }[]; next_cursor: string | null } = JSON.parse(
          await get(cursor === '' ? url : `${url}&cursor=${cursor}`),
        );
        for (const { id } of page.items) ids.add(id);
        cursor = page.next_cursor;
      }
      expect(ids.size).toBe(rowCount);
    },
  );

  test('promise 55: requests for larger pages are refused', async () => {
    for (const url of [
      '/rest/v1/listings?limit=101',
      '/rest/v1/me/listings?limit=501',
      `/rest/v1/conversations/${conversation}/messages?limit=501`,
    ]) {
      const { statusCode } = await quad.app.inject({ url, headers: owner.headers });
      expect(statusCode, url).toBe(400);
    }
  });

  test.each([
    ['/', 8],
    ['/category/furniture', 24],
    ['/search?q=desk', 24],
  ])('promise 55: the page %s shows %i listings, however many there are', async (url, shown) => {
    const slugs = new Set((await get(url)).match(/href="\/product\/[^"]+/g));
    expect(slugs.size).toBe(shown);
  });

  test('promise 55: the page of a listing shows four similar ones', async () => {
    const slugs = new Set((await get(`/listing/${slug}`)).match(/href="\/product\/[^"]+/g));
    expect(slugs.size).toBe(4);
  });
});
