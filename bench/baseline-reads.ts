/**
 * Baseline server for `bench/reads.ts`: reads the same rows as Quad with the fastest SQL we know,
 * but does not count the matches. PostgreSQL creates the JSON of the response, so Node only
 * forwards it.
 */
import { createServer } from 'node:http';
import { openDatabase } from '#server/platform/postgres/database.ts';
import { type Fragment, fragment } from '#server/platform/postgres/sql-fragments.ts';

const [databaseUrl = '', userId = ''] = process.argv.slice(2);
const sql = openDatabase(databaseUrl);

const listingColumns = fragment`l.id, l.slug, l.user_id, l.title, l.price, l.category, l.condition, l.location, l.game_date,
  l.created_at, cover.url, cover.width, cover.height, cover.thumbhash, u.display_name, u.avatar_url, u.usc_verified`;
const listingJoins = fragment`JOIN users u ON u.id = l.user_id LEFT JOIN private.objects cover ON cover.url = l.photos[1]`;
/**
 * Returns SQL for one page of the newest listings. It applies LIMIT before the joins, because this is faster.
 */
const selectNewestListings = (limit: Fragment, condition = fragment``): Fragment => fragment`
  SELECT json_agg(card)::text AS body FROM (
    SELECT ${listingColumns} FROM (
      SELECT * FROM listings WHERE status = 'published' ${condition}
      ORDER BY created_at DESC, id DESC LIMIT ${limit}
    ) l ${listingJoins}
  ) card`;

const statements = {
  latest: () => selectNewestListings(fragment`8`),
  category: (category: string) => selectNewestListings(fragment`24`, fragment`AND category = ${category}`),
  detail: (slug: string) => fragment`
    SELECT row_to_json(detail)::text AS body FROM (
      SELECT ${listingColumns}, l.description, l.contact_email, l.contact_phone, l.photos, l.updated_at, (
        SELECT json_agg(image) FROM (
          SELECT p.url, p.width, p.height, p.thumbhash FROM unnest(l.photos) WITH ORDINALITY AS photo (url, place)
          JOIN private.objects p ON p.url = photo.url ORDER BY place
        ) image
      ) AS images
      FROM listings l ${listingJoins} WHERE l.slug = ${slug} AND l.status = 'published'
    ) detail`,
  inbox: () => fragment`
    SELECT json_agg(item)::text AS body FROM (
      SELECT c.id, c.listing_id, c.buyer_id, c.seller_id, c.updated_at, c.listing_title, c.last_seq,
        c.buyer_read_seq, c.seller_read_seq, l.title, l.slug, l.price,
        cover.url, cover.width, cover.height, cover.thumbhash,
        o.display_name, o.avatar_url, o.usc_verified, m.seq, m.sender_id, m.message_text, m.created_at
      FROM (
        SELECT * FROM (
          (SELECT * FROM conversations WHERE buyer_id = ${userId} ORDER BY updated_at DESC LIMIT 50)
          UNION ALL
          (SELECT * FROM conversations WHERE seller_id = ${userId} ORDER BY updated_at DESC LIMIT 50)
        ) mine ORDER BY updated_at DESC LIMIT 50
      ) c
      LEFT JOIN listings l ON l.id = c.listing_id AND l.status = 'published'
      LEFT JOIN private.objects cover ON cover.url = l.photos[1]
      LEFT JOIN users o ON o.id = CASE WHEN c.buyer_id = ${userId} THEN c.seller_id ELSE c.buyer_id END
      LEFT JOIN messages m ON m.conversation_id = c.id AND m.seq = c.last_seq
    ) item`,
};

const queryResponseBody = async (statement: Fragment): Promise<string> => {
  const [row] = await sql<{ body: string | null }[]>`${statement}`;
  return row?.body ?? 'null';
};

const findResponseBody = ({ pathname, searchParams }: URL): Promise<string> | undefined => {
  const category = searchParams.get('category');
  if (pathname === '/rest/v1/conversations') return queryResponseBody(statements.inbox());
  if (pathname.startsWith('/rest/v1/listings/'))
    return queryResponseBody(statements.detail(pathname.slice(18)));
  if (pathname !== '/rest/v1/listings') return undefined;
  return queryResponseBody(category ? statements.category(category) : statements.latest());
};

createServer(async (request, response) => {
  const body = await findResponseBody(new URL(request.url ?? '/', 'http://baseline'));
  if (body === undefined) {
    response.writeHead(request.url === '/' ? 200 : 404).end();
    return;
  }
  response
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}).listen(Number(process.env.PORT), '127.0.0.1');
