import { defaultCampus, toCampusDay } from '#contract/campus.ts';
import { postableCategories } from '#contract/categories.ts';
import { addDays } from '#contract/days.ts';
import { listNewestSearchableTexts } from '#server/features/listings/match-estimates.ts';
import { chooseTextKey } from '#server/features/saved-searches/text-keys.ts';
import { listWantedWords } from '#server/features/wanted/words.ts';
import type { Sql } from '#server/platform/postgres/database.ts';
import { toInsertedRows } from '#server/platform/postgres/sql-fragments.ts';
import { createRandomSource, pickRandom, pickRandomByRank, vocabulary } from './vocabulary.ts';

const batchSize = 5_000;
/** The number of courses of which no listing is for sale. */
const otherCourseCount = 15_000;
/** The first words of the vocabulary say nothing about a thing. */
const thingWords = vocabulary.slice(30);
/** Maximum number of different titles of wanted posts. */
const maxWantedTitles = 3_000;
/** For how many days the posts go back that have ended; they are deleted after 90 days. */
const endedDays = 90;

const addBooksAndCourses = async (sql: Sql): Promise<void> => {
  await sql`
    INSERT INTO books (isbn, title, authors, edition, published_year)
    SELECT DISTINCT isbn, 'Introduction to subject ' || isbn, 'A. Author, B. Other', '3rd edition', 2015
    FROM listings WHERE isbn IS NOT NULL`;
  await sql`
    INSERT INTO courses (code, title, term)
    SELECT code, 'Lectures about ' || code, 'Fall 2026' FROM (
      SELECT DISTINCT course AS code FROM listings WHERE course IS NOT NULL
      UNION ALL SELECT 'OTHER ' || number FROM generate_series(1, ${otherCourseCount}::int) AS number
    ) AS all_courses`;
  await sql`
    INSERT INTO course_books (course, isbn)
    SELECT course, isbn FROM (
      SELECT course, isbn, row_number() OVER (PARTITION BY course ORDER BY isbn) AS number
      FROM listings WHERE course IS NOT NULL AND isbn IS NOT NULL GROUP BY course, isbn
    ) AS used WHERE number <= 10`;
};

/** Adds completed deals of the last year about the newest listings, between people who vary. */
const addSales = async (sql: Sql, count: number): Promise<void> => {
  await sql.begin(async (tx) => {
    // Disable foreign-key checks: these deals have no conversations.
    await tx`SET LOCAL session_replication_role = replica`;
    await tx`
      WITH buyers AS (SELECT id, row_number() OVER () - 1 AS number FROM users)
      INSERT INTO deals (listing_id, conversation_id, buyer_id, seller_id, kind, state, title, price, next_notice_at,
        created_at, changed_at, completed_at)
      SELECT l.id, gen_random_uuid(), buyers.id, l.user_id, 'sale', 'completed', l.title, l.price, NULL, at, at, at FROM (
        SELECT *, row_number() OVER () AS number FROM (
          SELECT id, user_id, title, price FROM listings WHERE price > 0 ORDER BY created_at DESC LIMIT ${count}
        ) AS newest
      ) AS l JOIN buyers ON buyers.number = l.number % (SELECT count(*) FROM buyers),
        LATERAL (SELECT now() - l.number % 360 * interval '1 day' AS at) AS completion`;
  });
};

/** Adds wanted posts with titles of one to three words, of which a quarter is still open. */
const addWantedPosts = async (sql: Sql, count: number): Promise<void> => {
  const random = createRandomSource(11);
  const people = await sql<{ id: string }[]>`SELECT id FROM users ORDER BY email`;
  const texts = await listNewestSearchableTexts(sql);
  const searches = Array.from({ length: Math.min(count, maxWantedTitles) }, () => {
    const length = 1 + Math.floor(random() * 3);
    const title = Array.from({ length }, () => pickRandomByRank(random, thingWords))
      .join(' ')
      .padEnd(3, 's');
    const words = listWantedWords(title);
    return { title, words, isbns: words.map(() => null), text_key: chooseTextKey(words.join(' '), texts) };
  });
  const now = new Date();
  const today = toCampusDay(defaultCampus, now);
  const createPost = (number: number) => {
    const age = random() < 0.25 ? random() * 30 : 30 + random() * endedDays;
    const createdAt = new Date(now.getTime() - age * 86_400_000);
    return {
      user_id: people[number % people.length]?.id ?? '',
      client_id: crypto.randomUUID(),
      ...pickRandom(random, searches),
      category: pickRandom(random, postableCategories),
      max_price: random() < 0.5 ? null : pickRandom(random, [20, 50, 100, 200]),
      until: addDays(today, Math.floor(30 - age)),
      created_at: createdAt,
      updated_at: createdAt,
    };
  };
  for (let first = 0; first < count; first += batchSize) {
    const rows = Array.from({ length: Math.min(batchSize, count - first) }, (_, index) =>
      createPost(first + index),
    );
    await sql`INSERT INTO wanted_posts ${toInsertedRows(rows)}`;
  }
};

/**
 * Adds what belongs to the generated listings: a catalog of their books, their courses among others, sales in the last year
 * of as many things as a third of the listings, and a wanted post for every tenth listing.
 */
export const addGoods = async (sql: Sql, listingCount: number): Promise<void> => {
  await addBooksAndCourses(sql);
  await addSales(sql, Math.ceil(listingCount / 3));
  await addWantedPosts(sql, Math.ceil(listingCount / 10));
  await sql`VACUUM ANALYZE books, courses, course_books, deals, wanted_posts`;
};
