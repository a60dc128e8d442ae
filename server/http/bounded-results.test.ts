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

const photos = (listing: string) => ({ [`${listing}.photos`]: maxPhotos, [`${listing}.images`]: maxPhotos });

/** The most elements of each array in a call's output. The export of one's data is streamed as it is read. */
const bounds: Partial<Record<CallName, Record<string, number> | 'streamed'>> = {
  downloadMyData: 'streamed',
  listListings: { items: 100 },
  listSimilarMatches: { items: maxSimilarMatches },
  suggestListings: { items: maxSuggestions },
  getListing: { photos: maxPhotos, images: maxPhotos },
  listSimilar: { items: 4 },
  createListing: photos('listing'),
  listMyListings: { items: 500, ...photos('items[]') },
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

/** The paths of all arrays in a schema, such as `items[].photos`. */
const arraysIn = (schema: JsonSchema, path = ''): string[] => [
  ...(schema.type === 'array' ? [path, ...arraysIn(schema.items ?? {}, `${path}[]`)] : []),
  ...(schema.anyOf ?? []).flatMap((option) => arraysIn(option, path)),
  ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) =>
    arraysIn(part, path ? `${path}.${name}` : name),
  ),
];

const schemaOf = (output: z.ZodType) => z.toJSONSchema(output, { unrepresentable: 'any' }) as JsonSchema;

test('promise 55: every array that a call returns has a bound', () => {
  for (const [name, { output }] of Object.entries(calls)) {
    const bound = bounds[name as CallName];
    if (bound === 'streamed') continue;
    expect(Object.keys(bound ?? {}).sort(), name).toEqual(arraysIn(schemaOf(output)).sort());
  }
});

/**
 * Lists that cannot grow: the few best suggestions, similar matches of a search, and the similar listings below a
 * listing.
 */
const shortLists = ['suggestListings', 'listSimilarMatches', 'listSimilar'];

test('promise 55: every list that can grow is read on from where a page ended', () => {
  for (const [name, call] of Object.entries(calls)) {
    const { output, query }: { output: z.ZodType; query?: z.ZodType } = call;
    const fields = Object.keys(schemaOf(output).properties ?? {});
    if (!fields.includes('items') || shortLists.includes(name)) continue;
    const paged = fields.includes('next_cursor') ? ['cursor'] : ['after_seq', 'before_seq'];
    expect(Object.keys(schemaOf(query ?? z.object({})).properties ?? {}), name).toEqual(
      expect.arrayContaining(paged),
    );
    expect(fields, name).toContain(fields.includes('next_cursor') ? 'next_cursor' : 'more');
  }
});

test('promise 55: what sockets are sent has no lists: each message is a frame of its own', () => {
  for (const schema of [messageSchema, unreadEventSchema, userJoinedSchema])
    expect(arraysIn(schemaOf(schema))).toEqual([]);
});

const many = 620;

describe('with more of everything than any bound', () => {
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
      FROM generate_series(1, ${many}::int) AS n RETURNING id, slug`;
    [{ id: listing = '', slug = '' } = {}] = rows;
    await quad.sql`
      INSERT INTO conversations (listing_id, listing_title, buyer_id, seller_id, created_at, updated_at, last_seq)
      SELECT id, title, ${buyer.userId}, ${owner.userId}, created_at, created_at, 1 FROM listings`;
    const [first] = await quad.sql<{ id: string }[]>`
      UPDATE conversations SET last_seq = ${many} WHERE listing_id = ${listing} RETURNING id`;
    conversation = first?.id ?? '';
    await quad.sql`
      INSERT INTO messages (conversation_id, seq, sender_id, client_id, message_text, created_at)
      SELECT ${conversation}, n, ${buyer.userId}, gen_random_uuid(), 'Hello', ${now}
      FROM generate_series(1, ${many}::int) AS n`;
  });
  afterAll(() => quad.close());

  const get = async (url: string) => {
    const { statusCode, body } = await quad.app.inject({ url, headers: owner.headers });
    expect(statusCode, url).toBe(200);
    return body;
  };

  /** The largest request for each call that lists something. */
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

  /** The length of the array at a path; of the arrays below another one, that of its first element. */
  const lengthOf = (value: unknown, path: string): number => {
    let part = value;
    for (const step of path.split('.')) {
      part = (part as Record<string, unknown>)[step.replace('[]', '')];
      if (step.endsWith('[]')) part = (part as unknown[])[0];
    }
    return (part as unknown[]).length;
  };

  test('promise 55: every call that reads lists returns as many elements as its bound and no more', async () => {
    const reading = Object.entries(bounds).filter(([name, bound]) => {
      const { method } = calls[name as CallName];
      return method === 'GET' && bound !== 'streamed';
    });
    expect(Object.keys(requests()).sort()).toEqual(reading.map(([name]) => name).sort());
    for (const [name, bound] of reading) {
      const body = JSON.parse(await get(requests()[name as CallName] ?? ''));
      for (const [path, most] of Object.entries(bound))
        expect(lengthOf(body, path), `${name} ${path}`).toBe(most);
    }
  });

  test.each(['/rest/v1/listings?limit=100', '/rest/v1/me/listings?limit=500', '/rest/v1/conversations?'])(
    'promise 55: %s is read to its end in pages',
    async (url) => {
      const ids = new Set<string>();
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: { items: { id: string }[]; next_cursor: string | null } = JSON.parse(
          await get(cursor === '' ? url : `${url}&cursor=${cursor}`),
        );
        for (const { id } of page.items) ids.add(id);
        cursor = page.next_cursor;
      }
      expect(ids.size).toBe(many);
    },
  );

  test('promise 55: a larger page than the bound is refused', async () => {
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
