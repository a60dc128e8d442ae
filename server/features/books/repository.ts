import {
  type Book,
  type Course,
  maxBooksOfCourse,
  maxCourseSuggestions,
  maxCoursesOfBook,
} from '#contract/books.ts';
import type { Condition } from '#contract/categories.ts';
import { categoryFields } from '#contract/category-fields.ts';
import {
  type PageTimes,
  toListedCondition,
  toPublicPageCondition,
} from '#server/features/listing-visibility/sql.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { toContainsPattern } from '#server/platform/postgres/like-pattern.ts';

const { min: minYear, max: maxYear } = categoryFields.publishedYear;

/** Returns a book of the catalog; without its year when the form of a listing refuses that one. */
export const findCatalogBook = async (sql: Queryable, isbn: string): Promise<Book | undefined> => {
  const [row] = await sql<Book[]>`
    SELECT isbn, title, authors, edition,
      CASE WHEN published_year BETWEEN ${minYear} AND ${maxYear} THEN published_year END AS published_year
    FROM books WHERE isbn = ${isbn}`;
  return row;
};

/** Returns what the newest public listings of a book say about it, each field from the newest one that has it. */
export const findListedBook = async (sql: Queryable, isbn: string): Promise<Book | undefined> => {
  const [row] = await sql<Book[]>`
    SELECT ${isbn}::text AS isbn, (array_agg(title))[1] AS title,
      (array_agg(authors) FILTER (WHERE authors IS NOT NULL))[1] AS authors,
      (array_agg(edition) FILTER (WHERE edition IS NOT NULL))[1] AS edition,
      (array_agg(published_year) FILTER (WHERE published_year IS NOT NULL))[1] AS published_year
    FROM (
      SELECT title, authors, edition, published_year FROM listings
      WHERE isbn = ${isbn} AND status IN ('published', 'sold') AND hidden_at IS NULL AND deleted_at IS NULL
      ORDER BY created_at DESC, id DESC LIMIT 20
    ) AS newest HAVING count(*) > 0`;
  return row;
};

/** The listing whose page shows other copies of its book. */
interface BookOfListing {
  id: string;
  title: string;
  isbn: string | null;
  course: string | null;
}

export const findBookOfListing = async (
  sql: Queryable,
  slug: string,
  times: PageTimes,
): Promise<BookOfListing | undefined> => {
  const [row] = await sql<BookOfListing[]>`
    SELECT l.id, l.title, l.isbn, l.course FROM listings l WHERE l.slug = ${slug} AND ${toPublicPageCondition(times)}`;
  return row;
};

/** Returns the listings of a book that can be had now by condition, besides one listing. */
export const listCopies = (
  sql: Queryable,
  { isbn, exceptId, today }: { isbn: string; exceptId: string; today: string },
): Promise<{ condition: Condition; count: number; lowest_price: number; highest_price: number }[]> =>
  sql<{ condition: Condition; count: number; lowest_price: number; highest_price: number }[]>`
    SELECT l.condition, count(*) AS count, min(l.price) AS lowest_price, max(l.price) AS highest_price FROM listings l
    WHERE l.isbn = ${isbn} AND l.id <> ${exceptId} AND NOT l.is_on_hold AND ${toListedCondition(today)}
    GROUP BY l.condition`;

/** Returns the courses that use a book, and the one with a code, which may be in no list. */
export const listCoursesOfBook = (
  sql: Queryable,
  { isbn, code }: { isbn: string | null; code: string | null },
): Promise<Course[]> =>
  sql<Course[]>`
    SELECT * FROM (
      SELECT code, title, term FROM courses
      WHERE code = ${code} OR code IN (SELECT course FROM course_books WHERE isbn = ${isbn})
      UNION ALL
      SELECT ${code}::text, NULL, NULL
      WHERE ${code}::text IS NOT NULL AND NOT EXISTS (SELECT FROM courses WHERE code = ${code})
    ) AS c ORDER BY code = ${code}::text DESC NULLS LAST, code LIMIT ${maxCoursesOfBook}`;

/** Returns the books that a course uses, with what the catalog knows about them. */
export const listBooksOfCourse = (sql: Queryable, code: string): Promise<Book[]> =>
  sql<Book[]>`
    SELECT u.isbn, b.title, b.authors, b.edition, b.published_year
    FROM course_books u LEFT JOIN books b ON b.isbn = u.isbn
    WHERE u.course = ${code} ORDER BY b.title, u.isbn LIMIT ${maxBooksOfCourse}`;

export const findCourse = async (sql: Queryable, codes: readonly string[]): Promise<Course | undefined> => {
  const [row] = await sql<Course[]>`SELECT code, title, term FROM courses WHERE code = ANY(${codes}) LIMIT 1`;
  return row;
};

/** Returns the first of several codes with which a listing is published. */
export const findListedCourse = async (
  sql: Queryable,
  codes: readonly string[],
): Promise<string | undefined> => {
  const [row] = await sql<{ course: string }[]>`
    SELECT course FROM listings WHERE course = ANY(${codes}) AND status = 'published' LIMIT 1`;
  return row?.course;
};

/** Returns courses whose code begins with a text, regardless of spaces and hyphens, or whose title contains it. */
export const suggestCourses = (
  sql: Queryable,
  { code, title }: { code: string; title: string },
): Promise<Course[]> =>
  sql<Course[]>`
    SELECT code, title, term FROM courses
    WHERE starts_with(translate(code, ' -', ''), ${code}) OR private.fold(title) LIKE ${toContainsPattern(title)}
    ORDER BY starts_with(translate(code, ' -', ''), ${code}) DESC, code LIMIT ${maxCourseSuggestions}`;
