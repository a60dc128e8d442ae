import { gameDayKinds, listingQuerySchema, sizes } from '#contract/listings.ts';
import { listInbox } from '#server/conversations/inbox-repository.ts';
import { parseJson } from '#server/platform/json/json-text.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Bench } from './open-bench.ts';
import { vocabulary } from './vocabulary.ts';

/** One kind of query with its variants, which take turns. */
export interface Kind {
  name: string;
  goal: 'quick' | 'flat' | 'none';
  /** Return the total, or the number of returned rows. */
  asks: ((bench: Bench) => Promise<number>)[];
  /** Hand-written SQL for the same page. */
  limit: string;
}

const baseline = 'SELECT slug, title, price, condition, location, created_at FROM listings';
const newest = 'ORDER BY created_at DESC, id DESC LIMIT 24';
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const list =
  (query: Record<string, string>) =>
  async ({ reads }: Bench): Promise<number> =>
    parseJson(await reads.listPublished(listingQuerySchema.parse(query))).total;

const reading = (name: string, goal: Kind['goal'], query: Record<string, string>, rest: string): Kind => ({
  name,
  goal,
  asks: [list(query)],
  limit: `${baseline} WHERE status = 'published' ${rest}`,
});

const filtering = (name: string, query: Record<string, string>): Kind => ({
  name,
  goal: 'quick',
  asks: [list(query)],
  limit: `${baseline} WHERE status = 'published' AND category = ${quoted(query.category ?? '')} ${newest}`,
});

const searching = (name: string, terms: readonly string[], filter: Record<string, string> = {}): Kind => ({
  name: `search: ${name}`,
  goal: 'quick',
  asks: terms.map((q) => list({ q, ...filter })),
  limit: `${baseline} WHERE status = 'published' AND search_text LIKE ${quoted(`%${terms[0]}%`)} ${newest}`,
});

const findingSimilar = (name: string, terms: readonly string[]): Kind => ({
  name: `similar matches: ${name}`,
  goal: 'quick',
  asks: terms.map(
    (q) =>
      async ({ reads }) =>
        parseJson(await reads.listSimilarMatches({ q })).length,
  ),
  limit: `${baseline} WHERE status = 'published' AND search_text LIKE ${quoted(`%${terms[0]}%`)} ${newest}`,
});
const withTypo = (word: string): string => `${word.slice(0, -3)}${word.slice(-2)}`;

/** Returns a dozen words of the vocabulary, which starts with the most common, from an index on. */
const dozen = (from: number, step: number): string[] =>
  Array.from({ length: 12 }, (_, index) => vocabulary[from + index * step] ?? '');

/** Returns typical queries of a marketplace over existing listings. */
export const listKinds = async (sql: Sql, readerId: string): Promise<Kind[]> => {
  const subjects = await sql<{ slug: string }[]>`
    SELECT slug FROM listings WHERE status = 'published' AND photos <> '{}' ORDER BY md5(slug) LIMIT 20`;
  const slugs = subjects.map((subject) => subject.slug);
  const one = `${baseline} WHERE slug = ${quoted(slugs[0] ?? '')}`;
  return [
    reading('latest 8', 'flat', { limit: '8' }, newest),
    reading('latest 24', 'flat', {}, newest),
    reading('category', 'flat', { category: 'furniture' }, `AND category = 'furniture' ${newest}`),
    reading(
      'game days',
      'flat',
      { category: 'game-day' },
      "AND category = 'game-day' ORDER BY game_date, created_at DESC, id DESC LIMIT 24",
    ),
    {
      name: 'detail',
      goal: 'flat',
      asks: slugs.map(
        (slug) =>
          async ({ reads }) =>
            parseJson(await reads.getPublished(slug)).images.length,
      ),
      limit: one,
    },
    {
      name: 'similar',
      goal: 'flat',
      asks: slugs.map(
        (slug) =>
          async ({ reads }) =>
            parseJson(await reads.listSimilar(slug)).length,
      ),
      limit: `${baseline} WHERE status = 'published' AND category = 'furniture' ORDER BY created_at DESC, id DESC LIMIT 4`,
    },
    {
      name: 'inbox',
      goal: 'flat',
      asks: [
        async (bench) => parseJson((await listInbox(bench.sql, readerId, undefined)).conversations).length,
      ],
      limit: `SELECT id, listing_title, updated_at FROM conversations
        WHERE buyer_id = ${quoted(readerId)} ORDER BY updated_at DESC LIMIT 51`,
    },
    reading('all by price', 'flat', { sort: 'price' }, 'ORDER BY price, created_at DESC, id DESC LIMIT 24'),
    reading(
      'all by falling price',
      'none',
      { sort: 'price-desc' },
      'ORDER BY price DESC, created_at DESC, id DESC LIMIT 24',
    ),
    reading(
      'category by price',
      'flat',
      { category: 'furniture', sort: 'price' },
      "AND category = 'furniture' ORDER BY price, created_at DESC, id DESC LIMIT 24",
    ),
    reading(
      'category by condition',
      'flat',
      { category: 'furniture', sort: 'condition' },
      "AND category = 'furniture' AND condition = 'new' ORDER BY created_at DESC, id DESC LIMIT 24",
    ),
    reading(
      'category by location',
      'flat',
      { category: 'furniture', sort: 'location' },
      "AND category = 'furniture' ORDER BY lower(location), created_at DESC, id DESC LIMIT 24",
    ),
    reading(
      'price from 10 to 20',
      'none',
      { min_price: '10', max_price: '20' },
      `AND price BETWEEN 10 AND 20 ${newest}`,
    ),
    ...sizes.map((size) => filtering(`merchandise of size ${size}`, { category: 'merchandise', size })),
    ...gameDayKinds.map((kind) => filtering(`game day: ${kind}`, { category: 'game-day', kind })),
    filtering('furniture: tickets', { category: 'furniture', kind: 'tickets' }),
    filtering('merchandise of size large by price', {
      category: 'merchandise',
      size: 'large',
      sort: 'price',
    }),
    filtering('merchandise of size large, verified sellers', {
      category: 'merchandise',
      size: 'large',
      verified: 'true',
    }),
    filtering('merchandise of size large, tickets', {
      category: 'merchandise',
      size: 'large',
      kind: 'tickets',
    }),
    filtering('merchandise of size small, tickets', {
      category: 'merchandise',
      size: 'small',
      kind: 'tickets',
    }),
    searching('common word', ['campus', 'condition', 'desk', 'the']),
    searching('less common word', dozen(150, 60)),
    searching('rare word', dozen(1500, 900)),
    searching('phrase', ['desk chair', 'good condition', 'pick up', 'blue lamp']),
    findingSimilar('plural of a common word', ['campuses', 'conditions', 'desks']),
    findingSimilar(
      'plural of a less common word',
      dozen(150, 60).map((word) => `${word}s`),
    ),
    findingSimilar('typo in a less common word', dozen(150, 60).map(withTypo)),
    findingSimilar('typo in a rare word', dozen(1500, 900).map(withTypo)),
    findingSimilar('two words apart', ['chair blue desk', 'lamps desks']),
    searching('nothing there', ['zyzzogeton', 'qqqq', 'jjxxqq']),
    searching('two common letters', ['de', 'th', 'in', 'st']),
    searching('two less common letters', ['qu', 'z ', '7-', 'fy']),
    searching('two rare letters', ['qx', 'zj', 'xq', 'vx']),
    searching('two letters not there', ['§§', '%%', '_x']),
    searching('one common letter', ['e', 't', 'a', ' ']),
    searching('one less common letter', ['q', 'z', 'x', '7']),
    searching('one rare letter', ['ж', '§', 'ß', '☂']),
    searching('no three letters in a row', ['漢字', '🎉', '...', 'a b']),
    searching('common word of size large', ['campus', 'condition', 'desk', 'the'], { size: 'large' }),
    searching('less common word, tickets', dozen(150, 60), { kind: 'tickets' }),
    searching('less common word, large merchandise', dozen(150, 60), {
      category: 'merchandise',
      size: 'large',
    }),
    searching('rare word of size large', dozen(1500, 900), { size: 'large' }),
  ];
};
