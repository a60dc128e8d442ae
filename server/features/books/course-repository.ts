import type { ConsoleCourse } from '#contract/console-courses.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { toContainsPattern } from '#server/platform/postgres/like-pattern.ts';

/** A course in the file of an import. */
export interface ImportedCourse {
  code: string;
  title: string;
  term: string | null;
  isbns: readonly string[];
}

/** Makes imports wait for each other, so that the maximum number of courses holds. */
export const lockCourses = async (tx: Queryable): Promise<void> => {
  await tx`LOCK TABLE courses IN SHARE ROW EXCLUSIVE MODE`;
};

/** Stores courses with different codes, and returns the number of new and of changed ones. */
export const upsertCourses = async (
  tx: Queryable,
  courses: readonly ImportedCourse[],
): Promise<{ added: number; changed: number }> => {
  const [counts] = await tx<{ added: number; changed: number }[]>`
    WITH stored AS (
      INSERT INTO courses (code, title, term)
      SELECT * FROM unnest(${courses.map(({ code }) => code)}::text[], ${courses.map(({ title }) => title)}::text[],
        ${courses.map(({ term }) => term)}::text[])
      ON CONFLICT (code) DO UPDATE SET title = excluded.title, term = coalesce(excluded.term, courses.term)
      WHERE (courses.title, courses.term) IS DISTINCT FROM (excluded.title, coalesce(excluded.term, courses.term))
      RETURNING xmax = 0 AS is_new
    )
    SELECT count(*) FILTER (WHERE is_new) AS added, count(*) FILTER (WHERE NOT is_new) AS changed FROM stored`;
  return counts ?? { added: 0, changed: 0 };
};

/** Replaces the books of the courses that name any. */
export const replaceBooksOfCourses = async (
  tx: Queryable,
  courses: readonly ImportedCourse[],
): Promise<void> => {
  const rows = courses.flatMap(({ code, isbns }) => isbns.map((isbn) => ({ code, isbn })));
  const codes = rows.map(({ code }) => code);
  await tx`DELETE FROM course_books WHERE course = ANY(${codes})`;
  await tx`
    INSERT INTO course_books (course, isbn)
    SELECT * FROM unnest(${codes}::text[], ${rows.map(({ isbn }) => isbn)}::text[]) ON CONFLICT DO NOTHING`;
};

export const countCourses = async (sql: Queryable): Promise<number> => {
  const [row] = await sql<{ count: number }[]>`SELECT count(*) AS count FROM courses`;
  return row?.count ?? 0;
};

export const listCourses = (
  sql: Queryable,
  { text, code, after, limit }: { text: string; code: string; after: string; limit: number },
): Promise<ConsoleCourse[]> =>
  sql<ConsoleCourse[]>`
    SELECT code, title, term, (SELECT count(*) FROM course_books WHERE course = code) AS books FROM courses
    WHERE code > ${after}
      AND (starts_with(translate(code, ' -', ''), ${code}) OR private.fold(title) LIKE ${toContainsPattern(text)})
    ORDER BY code LIMIT ${limit}`;

/** Deletes courses and returns the number of deleted ones. */
export const deleteCourses = async (tx: Queryable, codes: readonly string[]): Promise<number> => {
  const { count } = await tx`DELETE FROM courses WHERE code = ANY(${codes})`;
  return count;
};
