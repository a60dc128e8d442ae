import { gameDayKinds, listingQuerySchema, sizes } from '#contract/listing-queries.ts';
import { listInbox } from '#server/conversations/inbox-repository.ts';
import { parseJson } from '#server/platform/json/json-text.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { Bench } from './open-bench.ts';
import { vocabulary } from './vocabulary.ts';

/** A kind of query with several variants, which the benchmark runs in turn. */
export interface QueryKind {
  name: string;
  goal: 'quick' | 'flat' | 'none';
  /** The variants; each returns the total number of matches, or the number of returned rows. */
  asks: ((bench: Bench) => Promise<number>)[];
  /** Hand-written SQL that reads the rows of the same page, for comparison. */
  baselineSql: string;
}

const selectBaseline = 'SELECT slug, title, price, condition, location, created_at FROM listings';
const newestFirst = 'ORDER BY created_at DESC, id DESC LIMIT 24';
const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const createListQuery =
  (query: Record<string, string>) =>
  async ({ reads }: Bench): Promise<number> =>
    parseJson(await reads.listPublished(listingQuerySchema.parse(query))).total;

const createReadKind = (
  name: string,
  goal: QueryKind['goal'],
  query: Record<string, string>,
  rest: string,
): QueryKind => ({
  name,
  goal,
  asks: [createListQuery(query)],
  baselineSql: `${selectBaseline} WHERE status = 'published' ${rest}`,
});

const createFilterKind = (name: string, query: Record<string, string>): QueryKind => ({
  name,
  goal: 'quick',
  asks: [createListQuery(query)],
  baselineSql: `${selectBaseline} WHERE status = 'published' AND category = ${quoteLiteral(query.category ?? '')} ${newestFirst}`,
});

const createSearchKind = (
  name: string,
  terms: readonly string[],
  filter: Record<string, string> = {},
): QueryKind => ({
  name: `search: ${name}`,
  goal: 'quick',
  asks: terms.map((q) => createListQuery({ q, ...filter })),
  baselineSql: `${selectBaseline} WHERE status = 'published' AND search_text LIKE ${quoteLiteral(`%${terms[0]}%`)} ${newestFirst}`,
});

const createSimilarKind = (name: string, terms: readonly string[]): QueryKind => ({
  name: `similar matches: ${name}`,
  goal: 'quick',
  asks: terms.map(
    (q) =>
      async ({ reads }) =>
        parseJson(await reads.listSimilarMatches({ q })).length,
  ),
  baselineSql: `${selectBaseline} WHERE status = 'published' AND search_text LIKE ${quoteLiteral(`%${terms[0]}%`)} ${newestFirst}`,
});
const removeThirdLastLetter = (word: string): string => `${word.slice(0, -3)}${word.slice(-2)}`;

/** Returns twelve words of the vocabulary, starting at an index, each `step` further (less common) than the previous. */
const pickTwelveWords = (from: number, step: number): string[] =>
  Array.from({ length: 12 }, (_, index) => vocabulary[from + index * step] ?? '');

/** Returns the kinds of queries to measure, with terms and slugs that occur in the generated listings. */
export const listQueryKinds = async (sql: Sql, readerId: string): Promise<QueryKind[]> => {
  const subjects = await sql<{ slug: string }[]>`
    SELECT slug FROM listings WHERE status = 'published' AND photos <> '{}' ORDER BY md5(slug) LIMIT 20`;
  const slugs = subjects.map((subject) => subject.slug);
  const oneListing = `${selectBaseline} WHERE slug = ${quoteLiteral(slugs[0] ?? '')}`;
  return [
    createReadKind('latest 8', 'flat', { limit: '8' }, newestFirst),
    createReadKind('latest 24', 'flat', {}, newestFirst),
    createReadKind(
      'category',
      'flat',
      { category: 'furniture' },
      `AND category = 'furniture' ${newestFirst}`,
    ),
    createReadKind(
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
      baselineSql: oneListing,
    },
    {
      name: 'similar',
      goal: 'flat',
      asks: slugs.map(
        (slug) =>
          async ({ reads }) =>
            parseJson(await reads.listSimilar(slug)).length,
      ),
      baselineSql: `${selectBaseline} WHERE status = 'published' AND category = 'furniture' ORDER BY created_at DESC, id DESC LIMIT 4`,
    },
    {
      name: 'inbox',
      goal: 'flat',
      asks: [
        async (bench) => parseJson((await listInbox(bench.sql, readerId, undefined)).conversations).length,
      ],
      baselineSql: `SELECT id, listing_title, updated_at FROM conversations
        WHERE buyer_id = ${quoteLiteral(readerId)} ORDER BY updated_at DESC LIMIT 51`,
    },
    createReadKind(
      'all by price',
      'flat',
      { sort: 'price' },
      'ORDER BY price, created_at DESC, id DESC LIMIT 24',
    ),
    createReadKind(
      'all by falling price',
      'none',
      { sort: 'price-desc' },
      'ORDER BY price DESC, created_at DESC, id DESC LIMIT 24',
    ),
    createReadKind(
      'category by price',
      'flat',
      { category: 'furniture', sort: 'price' },
      "AND category = 'furniture' ORDER BY price, created_at DESC, id DESC LIMIT 24",
    ),
    createReadKind(
      'category by condition',
      'flat',
      { category: 'furniture', sort: 'condition' },
      "AND category = 'furniture' AND condition = 'new' ORDER BY created_at DESC, id DESC LIMIT 24",
    ),
    createReadKind(
      'category by location',
      'flat',
      { category: 'furniture', sort: 'location' },
      "AND category = 'furniture' ORDER BY lower(location), created_at DESC, id DESC LIMIT 24",
    ),
    createReadKind(
      'price from 10 to 20',
      'none',
      { min_price: '10', max_price: '20' },
      `AND price BETWEEN 10 AND 20 ${newestFirst}`,
    ),
    ...sizes.map((size) =>
      createFilterKind(`merchandise of size ${size}`, { category: 'merchandise', size }),
    ),
    ...gameDayKinds.map((kind) => createFilterKind(`game day: ${kind}`, { category: 'game-day', kind })),
    createFilterKind('furniture: tickets', { category: 'furniture', kind: 'tickets' }),
    createFilterKind('merchandise of size large by price', {
      category: 'merchandise',
      size: 'large',
      sort: 'price',
    }),
    createFilterKind('merchandise of size large, verified sellers', {
      category: 'merchandise',
      size: 'large',
      verified: 'true',
    }),
    createFilterKind('merchandise of size large, tickets', {
      category: 'merchandise',
      size: 'large',
      kind: 'tickets',
    }),
    createFilterKind('merchandise of size small, tickets', {
      category: 'merchandise',
      size: 'small',
      kind: 'tickets',
    }),
    createSearchKind('common word', ['campus', 'condition', 'desk', 'the']),
    createSearchKind('less common word', pickTwelveWords(150, 60)),
    createSearchKind('rare word', pickTwelveWords(1500, 900)),
    createSearchKind('phrase', ['desk chair', 'good condition', 'pick up', 'blue lamp']),
    createSimilarKind('plural of a common word', ['campuses', 'conditions', 'desks']),
    createSimilarKind(
      'plural of a less common word',
      pickTwelveWords(150, 60).map((word) => `${word}s`),
    ),
    createSimilarKind('typo in a less common word', pickTwelveWords(150, 60).map(removeThirdLastLetter)),
    createSimilarKind('typo in a rare word', pickTwelveWords(1500, 900).map(removeThirdLastLetter)),
    createSimilarKind('two words apart', ['chair blue desk', 'lamps desks']),
    createSearchKind('nothing there', ['zyzzogeton', 'qqqq', 'jjxxqq']),
    createSearchKind('two common letters', ['de', 'th', 'in', 'st']),
    createSearchKind('two less common letters', ['qu', 'z ', '7-', 'fy']),
    createSearchKind('two rare letters', ['qx', 'zj', 'xq', 'vx']),
    createSearchKind('two letters not there', ['§§', '%%', '_x']),
    createSearchKind('one common letter', ['e', 't', 'a', ' ']),
    createSearchKind('one less common letter', ['q', 'z', 'x', '7']),
    createSearchKind('one rare letter', ['ж', '§', 'ß', '☂']),
    createSearchKind('no three letters in a row', ['漢字', '🎉', '...', 'a b']),
    createSearchKind('common word of size large', ['campus', 'condition', 'desk', 'the'], { size: 'large' }),
    createSearchKind('less common word, tickets', pickTwelveWords(150, 60), { kind: 'tickets' }),
    createSearchKind('less common word, large merchandise', pickTwelveWords(150, 60), {
      category: 'merchandise',
      size: 'large',
    }),
    createSearchKind('rare word of size large', pickTwelveWords(1500, 900), { size: 'large' }),
  ];
};
