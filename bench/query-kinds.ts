import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { gameDayListingKinds, listingQuerySchema, merchandiseSizes } from '#contract/listing-queries.ts';
import { listInbox, wholeInbox } from '#server/features/conversations/inbox-repository.ts';
import {
  getPublishedListing,
  listPublishedListings,
  listSimilarListings,
  searchSimilarListings,
} from '#server/features/listings/public.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { BenchDatabase } from './bench-database.ts';
import { listGoodsQueryKinds } from './goods-query-kinds.ts';
import type { QueryKind } from './query-kind.ts';
import { vocabulary } from './vocabulary.ts';

const baselineSelect = 'SELECT slug, title, price, condition, location, created_at FROM listings';
const newestFirstSql = 'ORDER BY created_at DESC, id DESC LIMIT 24';
const quoteLiteral = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const createListQuery =
  (query: Record<string, string>) =>
  async ({ app }: BenchDatabase): Promise<number> =>
    (await listPublishedListings(app, listingQuerySchema.parse(query))).total;

const createReadQueryKind = (
  name: string,
  goal: QueryKind['goal'],
  query: Record<string, string>,
  rest: string,
): QueryKind => ({
  name,
  goal,
  asks: [createListQuery(query)],
  baselineSql: `${baselineSelect} WHERE status = 'published' ${rest}`,
});

const createFilterQueryKind = (name: string, query: Record<string, string>): QueryKind => ({
  name,
  goal: 'quick',
  asks: [createListQuery(query)],
  baselineSql: `${baselineSelect} WHERE status = 'published' AND category = ${quoteLiteral(query.category ?? '')} ${newestFirstSql}`,
});

const createSearchQueryKind = (
  name: string,
  terms: readonly string[],
  filter: Record<string, string> = {},
): QueryKind => ({
  name: `search: ${name}`,
  goal: 'quick',
  asks: terms.map((q) => createListQuery({ q, ...filter })),
  baselineSql: `${baselineSelect} WHERE status = 'published' AND search_text LIKE ${quoteLiteral(`%${terms[0]}%`)} ${newestFirstSql}`,
});

const createSimilarMatchesQueryKind = (name: string, terms: readonly string[]): QueryKind => ({
  name: `similar matches: ${name}`,
  goal: 'quick',
  asks: terms.map(
    (q) =>
      async ({ app }) =>
        (await searchSimilarListings(app, { q })).length,
  ),
  baselineSql: `${baselineSelect} WHERE status = 'published' AND search_text LIKE ${quoteLiteral(`%${terms[0]}%`)} ${newestFirstSql}`,
});
const removeThirdLastLetter = (word: string): string => `${word.slice(0, -3)}${word.slice(-2)}`;

/**
 * Returns twelve words of the vocabulary: every `step`-th word, starting at index `from`. Words
 * with a higher index occur less often in the generated listings.
 */
const pickTwelveWords = (from: number, step: number): string[] =>
  Array.from({ length: 12 }, (_, index) => vocabulary[from + index * step] ?? '');

/** Returns the kinds of queries to measure, with terms and slugs that occur in the generated listings. */
export const listQueryKinds = async (sql: Sql, readerId: string): Promise<QueryKind[]> => {
  const subjects = await sql<{ slug: string }[]>`
    SELECT slug FROM listings WHERE status = 'published' AND photos <> '{}' ORDER BY md5(slug) LIMIT 20`;
  const slugs = subjects.map((subject) => subject.slug);
  const oneListing = `${baselineSelect} WHERE slug = ${quoteLiteral(slugs[0] ?? '')}`;
  return [
    createReadQueryKind('latest 8', 'flat', { limit: '8' }, newestFirstSql),
    createReadQueryKind('latest 24', 'flat', {}, newestFirstSql),
    createReadQueryKind(
      'category',
      'flat',
      { category: 'furniture' },
      `AND category = 'furniture' ${newestFirstSql}`,
    ),
    createReadQueryKind(
      'game days, 90 % ended',
      'flat',
      { category: 'game-day' },
      "AND category = 'game-day' ORDER BY game_date, created_at DESC, id DESC LIMIT 24",
    ),
    createReadQueryKind(
      'newest game days, 90 % ended',
      'flat',
      { category: 'game-day', sort: 'newest' },
      `AND category = 'game-day' ${newestFirstSql}`,
    ),
    {
      name: 'detail',
      goal: 'flat',
      asks: slugs.map(
        (slug) =>
          async ({ app }) =>
            (await getPublishedListing(app, slug)).images.length,
      ),
      baselineSql: oneListing,
    },
    {
      name: 'similar',
      goal: 'flat',
      asks: slugs.map(
        (slug) =>
          async ({ app }) =>
            (await listSimilarListings(app, slug)).length,
      ),
      baselineSql: `${baselineSelect} WHERE status = 'published' AND category = 'furniture' ORDER BY created_at DESC, id DESC LIMIT 4`,
    },
    {
      name: 'inbox',
      goal: 'flat',
      asks: [
        async (bench) =>
          (
            await listInbox(
              bench.sql,
              {
                userId: readerId,
                campus: defaultCampus,
                now: new Date(),
                today: toCampusDay(defaultCampus, new Date()),
              },
              wholeInbox,
              undefined,
            )
          ).conversations.length,
      ],
      baselineSql: `SELECT id, listing_title, updated_at FROM conversations
        WHERE buyer_id = ${quoteLiteral(readerId)} ORDER BY updated_at DESC LIMIT 51`,
    },
    createReadQueryKind(
      'all by price',
      'flat',
      { sort: 'price' },
      'ORDER BY price, created_at DESC, id DESC LIMIT 24',
    ),
    createReadQueryKind(
      'all by falling price',
      'none',
      { sort: 'price-desc' },
      'ORDER BY price DESC, created_at DESC, id DESC LIMIT 24',
    ),
    createReadQueryKind(
      'category by price',
      'flat',
      { category: 'furniture', sort: 'price' },
      "AND category = 'furniture' ORDER BY price, created_at DESC, id DESC LIMIT 24",
    ),
    createReadQueryKind(
      'category by condition',
      'flat',
      { category: 'furniture', sort: 'condition' },
      "AND category = 'furniture' AND condition = 'new' ORDER BY created_at DESC, id DESC LIMIT 24",
    ),
    createReadQueryKind(
      'category by location',
      'flat',
      { category: 'furniture', sort: 'location' },
      "AND category = 'furniture' ORDER BY lower(location), created_at DESC, id DESC LIMIT 24",
    ),
    createReadQueryKind(
      'price from 10 to 20',
      'none',
      { min_price: '10', max_price: '20' },
      `AND price BETWEEN 10 AND 20 ${newestFirstSql}`,
    ),
    ...merchandiseSizes.map((size) =>
      createFilterQueryKind(`merchandise of size ${size}`, { category: 'merchandise', size }),
    ),
    createFilterQueryKind('clothing of a shoe size', { category: 'clothing', size: 'shoe-9' }),
    createFilterQueryKind('textbooks of a course', { category: 'textbooks', course: 'MATH 125' }),
    createFilterQueryKind('textbooks of a course by price', {
      category: 'textbooks',
      course: 'MATH 125',
      sort: 'price',
    }),
    createFilterQueryKind('textbooks of an ISBN', { category: 'textbooks', isbn: '9780000001252' }),
    ...gameDayListingKinds.map((kind) =>
      createFilterQueryKind(`game day: ${kind}`, { category: 'game-day', kind }),
    ),
    createFilterQueryKind('furniture: tickets', { category: 'furniture', kind: 'tickets' }),
    createFilterQueryKind('merchandise of size large by price', {
      category: 'merchandise',
      size: 'large',
      sort: 'price',
    }),
    createFilterQueryKind('merchandise of size large, verified sellers', {
      category: 'merchandise',
      size: 'large',
      verified: 'true',
    }),
    createFilterQueryKind('merchandise of size large, tickets', {
      category: 'merchandise',
      size: 'large',
      kind: 'tickets',
    }),
    createFilterQueryKind('merchandise of size small, tickets', {
      category: 'merchandise',
      size: 'small',
      kind: 'tickets',
    }),
    createSearchQueryKind('common word', ['campus', 'condition', 'desk', 'the']),
    createSearchQueryKind('less common word', pickTwelveWords(150, 60)),
    createSearchQueryKind('rare word', pickTwelveWords(1500, 900)),
    createSearchQueryKind('phrase', ['desk chair', 'good condition', 'pick up', 'blue lamp']),
    createSimilarMatchesQueryKind('plural of a common word', ['campuses', 'conditions', 'desks']),
    createSimilarMatchesQueryKind(
      'plural of a less common word',
      pickTwelveWords(150, 60).map((word) => `${word}s`),
    ),
    createSimilarMatchesQueryKind(
      'typo in a less common word',
      pickTwelveWords(150, 60).map(removeThirdLastLetter),
    ),
    createSimilarMatchesQueryKind(
      'typo in a rare word',
      pickTwelveWords(1500, 900).map(removeThirdLastLetter),
    ),
    createSimilarMatchesQueryKind('two words apart', ['chair blue desk', 'lamps desks']),
    createSearchQueryKind('nothing there', ['zyzzogeton', 'qqqq', 'jjxxqq']),
    createSearchQueryKind('two common letters', ['de', 'th', 'in', 'st']),
    createSearchQueryKind('two less common letters', ['qu', 'z ', '7-', 'fy']),
    createSearchQueryKind('two rare letters', ['qx', 'zj', 'xq', 'vx']),
    createSearchQueryKind('two letters not there', ['§§', '%%', '_x']),
    createSearchQueryKind('one common letter', ['e', 't', 'a', ' ']),
    createSearchQueryKind('one less common letter', ['q', 'z', 'x', '7']),
    createSearchQueryKind('one rare letter', ['ж', '§', 'ß', '☂']),
    createSearchQueryKind('no three letters in a row', ['漢字', '🎉', '...', 'a b']),
    createSearchQueryKind('common word of size large', ['campus', 'condition', 'desk', 'the'], {
      size: 'large',
    }),
    createSearchQueryKind('less common word, tickets', pickTwelveWords(150, 60), { kind: 'tickets' }),
    createSearchQueryKind('less common word, large merchandise', pickTwelveWords(150, 60), {
      category: 'merchandise',
      size: 'large',
    }),
    createSearchQueryKind('rare word of size large', pickTwelveWords(1500, 900), { size: 'large' }),
    ...(await listGoodsQueryKinds(sql)),
  ];
};
