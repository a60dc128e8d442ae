import { parseIsbn } from '#contract/isbn.ts';
import { listingQuerySchema } from '#contract/listing-queries.ts';
import { wantedQuerySchema } from '#contract/wanted.ts';
import type { App } from '#server/app.ts';
import { getListingBook, lookUpBook } from '#server/features/books/books.ts';
import { getCourse, suggestCourses } from '#server/features/books/courses.ts';
import { listPublishedListings } from '#server/features/listings/public.ts';
import { findSalePrices } from '#server/features/sale-prices/sale-prices.ts';
import {
  countPeopleForDraft,
  countPeopleToTell,
  listListingsToAnswerWith,
} from '#server/features/wanted/matching.ts';
import { listWantedPosts } from '#server/features/wanted/wanted-posts.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import type { BenchDatabase } from './bench-database.ts';
import type { QueryKind } from './query-kind.ts';
import { vocabulary } from './vocabulary.ts';

/** During the generated games, so that filters by their dates find some. */
const duringGames = new Date('2035-01-17T20:00:00Z');
const newestListingsSql =
  "SELECT slug, title, price, condition, location, created_at FROM listings WHERE status = 'published'";

const createKind = <Subject>(
  name: string,
  subjects: readonly Subject[],
  ask: (app: App, subject: Subject) => Promise<number>,
  baselineSql: string,
): QueryKind => ({
  name,
  goal: 'quick',
  asks: subjects.map(
    (subject) =>
      ({ app }: BenchDatabase) =>
        ask(app, subject),
  ),
  baselineSql,
});

const createListKind = (
  name: string,
  queries: readonly Record<string, string>[],
  baselineCondition: string,
) =>
  createKind(
    name,
    queries,
    async (app, query) => (await listPublishedListings(app, listingQuerySchema.parse(query))).total,
    `${newestListingsSql} AND ${baselineCondition} ORDER BY created_at DESC, id DESC LIMIT 24`,
  );

const atGames = (app: App): App => ({ ...app, clock: { ...app.clock, now: () => duringGames } });

/** Returns the kinds of queries about books, courses, tickets, sizes, sales and wanted posts. */
export const listGoodsQueryKinds = async (sql: Sql): Promise<QueryKind[]> => {
  const listBooks = (order: 'DESC' | 'ASC') => sql<{ isbn: string; slug: string; user_id: string }[]>`
    SELECT isbn, min(slug) AS slug, (array_agg(user_id))[1] AS user_id FROM listings
    WHERE isbn IS NOT NULL AND status = 'published'
    GROUP BY isbn ORDER BY CASE WHEN ${order === 'DESC'} THEN -count(*) ELSE count(*) END, isbn LIMIT 10`;
  const [popular, rare] = await Promise.all([listBooks('DESC'), listBooks('ASC')]);
  const books = [...popular, ...rare];
  const sellers = await sql<{ id: string; user_id: string; title: string }[]>`
    SELECT id, user_id, title FROM listings WHERE status = 'published' AND title IS NOT NULL ORDER BY md5(slug) LIMIT 20`;
  const posts = await sql<{ id: string }[]>`
    SELECT id FROM wanted_posts WHERE until >= now()::date ORDER BY md5(title) LIMIT 20`;
  const [someIsbn = ''] = books.map(({ isbn }) => isbn);
  const listed = await sql<{ course: string }[]>`
    SELECT course FROM listings WHERE status = 'published' AND course IS NOT NULL GROUP BY course ORDER BY -count(*) LIMIT 200`;
  const courses = [...listed.filter((_, index) => index % 40 === 0).map(({ course }) => course), 'OTHER 7'];
  const bookSql = `SELECT isbn, title, authors, edition, published_year FROM books WHERE isbn = '${someIsbn}'`;
  const courseSql = "SELECT code, title, term FROM courses WHERE code = 'MATH 0'";
  const wantedSql = 'SELECT id, title, max_price, until FROM wanted_posts ORDER BY created_at DESC LIMIT 24';
  const drafts = sellers.map(({ user_id: userId, title }) => ({
    userId,
    draft: {
      title,
      description: `${title}. ${vocabulary.slice(30, 60).join(' ')} ${vocabulary.slice(900, 940).join(' ')}`,
      location: 'Village, room 7',
      category: 'furniture' as const,
      price: 15,
    },
  }));
  const categories = ['textbooks', 'furniture', 'free', 'trojan-merch'];
  return [
    createListKind(
      'a course, also by price',
      courses.flatMap((course) => [
        { category: 'textbooks', course },
        { category: 'textbooks', course, sort: 'price' },
        { category: 'textbooks', course, sort: 'condition', max_price: '40' },
      ]),
      "course = 'MATH 0'",
    ),
    createListKind(
      'an ISBN, also by price',
      books.flatMap(({ isbn }) => [
        { category: 'textbooks', isbn },
        { category: 'textbooks', isbn, sort: 'price' },
      ]),
      `isbn = '${someIsbn}'`,
    ),
    {
      ...createListKind(
        'search: a word among thousands of copies',
        popular.slice(0, 2).map(({ isbn }) => ({ isbn, q: 'good' })),
        `isbn = '${someIsbn}'`,
      ),
      goal: 'none' as const,
    },
    createListKind(
      'search: an ISBN',
      books.map(({ isbn }) => ({ q: isbn })),
      `isbn = '${someIsbn}'`,
    ),
    createListKind(
      'clothing of a size, also by price',
      ['xs', 'small', 'xxl', 'one-size', 'shoe-8.5'].flatMap((size) => [
        { category: 'clothing', size },
        { category: 'clothing', size, sort: 'price' },
        { category: 'clothing', size, max_price: '20', condition: 'good' },
      ]),
      "category = 'clothing' AND size = 'xs'",
    ),
    createKind(
      'tickets of a week or month',
      [
        { game_date: 'this-week' },
        { game_date: 'next-week' },
        { game_date: 'this-month', sort: 'price' },
      ].flatMap((query) => [query, { ...query, kind: 'tickets' }, { ...query, q: 'section 12' }]),
      async (app, query) =>
        (
          await listPublishedListings(
            atGames(app),
            listingQuerySchema.parse({ category: 'game-day', ...query }),
          )
        ).total,
      `${newestListingsSql} AND category = 'game-day' AND game_date BETWEEN '2035-01-14' AND '2035-01-20' ORDER BY game_date LIMIT 24`,
    ),
    createKind(
      'course: its books',
      courses,
      async (app, course) => (await getCourse(app, course)).books.length,
      courseSql,
    ),
    createKind(
      'course: suggestions',
      ['math', 'math 1', 'lectures', 'other 14', 'nothing'],
      async (app, text) => (await suggestCourses(app, text)).length,
      courseSql,
    ),
    createKind(
      'book: what is known',
      [...books.map(({ isbn }) => isbn), '9780306406157'],
      async (app, isbn) => ((await lookUpBook(app, parseIsbn(isbn) ?? '')).book ? 1 : 0),
      bookSql,
    ),
    createKind(
      'book: other copies and courses',
      books,
      async (app, { slug }) => (await getListingBook(app, slug)).copies?.count ?? 0,
      bookSql,
    ),
    createKind(
      'sold here',
      [
        ...books.map(({ isbn }) => ({ category: 'textbooks' as const, title: 'Introduction', isbn })),
        ...sellers.map(({ title }) => ({ category: 'furniture' as const, title })),
      ],
      async (app, query) => ((await findSalePrices(app, query)).range ? 1 : 0),
      "SELECT low, high FROM sale_price_ranges WHERE key = 'isbn'",
    ),
    createKind(
      'wanted: list',
      [{}, ...categories.map((category) => ({ category })), { q: 'desk' }],
      async (app, query) =>
        (await listWantedPosts(app, undefined, wantedQuerySchema.parse(query))).items.length,
      wantedSql,
    ),
    createKind(
      'wanted: a rare word, or none',
      [...vocabulary.slice(2_000, 2_010), 'zyzzogeton'].flatMap((q) => [{ q }, { q, category: 'furniture' }]),
      async (app, query) =>
        (await listWantedPosts(app, undefined, wantedQuerySchema.parse(query))).items.length,
      wantedSql,
    ),
    createKind(
      'wanted: who looks for a draft',
      drafts,
      (app, { userId, draft }) => countPeopleForDraft(app, userId, draft),
      wantedSql,
    ),
    createKind(
      'wanted: who looks for a listing',
      sellers,
      (app, { id, user_id: userId }) => countPeopleToTell(app, userId, id),
      wantedSql,
    ),
    createKind(
      'wanted: listings to answer with',
      posts.map(({ id }, index) => ({ id, userId: sellers[index % sellers.length]?.user_id ?? '' })),
      async (app, { id, userId }) => (await listListingsToAnswerWith(app, userId, id)).length,
      wantedSql,
    ),
  ];
};
