import { maxBooksOfCourse, maxCourses } from '#contract/books.ts';
import { courseSchema, normalizeCourse } from '#contract/category-field-schemas.ts';
import {
  type ConsoleCourse,
  type CourseImportResult,
  coursePageSize,
  maxBrokenLines,
} from '#contract/console-courses.ts';
import { createProblem } from '#contract/errors.ts';
import { parseIsbn } from '#contract/isbn.ts';
import { foldText } from '#contract/search-text.ts';
import { normalizeLine } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import { noteSecurityEvent } from '#server/features/audit/public.ts';
import { invalidateCategoryPages } from '#server/pages/public.ts';
import { type CsvRow, parseCsv } from '#server/platform/csv.ts';
import { type Queryable, runInTransaction } from '#server/platform/postgres/database.ts';
import type { ImportedCourse } from './course-repository.ts';
import * as repository from './course-repository.ts';

const maxTitleLength = 200;
const maxTermLength = 40;
/** Enough for all ISBNs of a course, with hyphens and separators. */
const maxIsbnsLength = 20 * maxBooksOfCourse;

const columnNames = ['code', 'title', 'term', 'isbn'] as const;
type ColumnName = (typeof columnNames)[number];

const createRefusal = (sentence: string) => createProblem('validation_failed', { sentence });

interface CourseTable {
  /** The position of each column. */
  columns: Record<ColumnName, number>;
  /** Whether no other column follows the one with the ISBNs. */
  isIsbnLast: boolean;
  /** The rows below the header, if the file has one. */
  body: readonly CsvRow[];
}

const readHeader = (rows: readonly CsvRow[]): CourseTable => {
  const names = rows[0]?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const hasHeader = names.includes('code') && names.includes('title');
  const find = (name: ColumnName, index: number) =>
    hasHeader ? names.findIndex((header) => header === name || header === `${name}s`) : index;
  const columns = Object.fromEntries(columnNames.map((name, index) => [name, find(name, index)]));
  return {
    columns: columns as Record<ColumnName, number>,
    isIsbnLast: !hasHeader || names.findLastIndex(Boolean) === columns.isbn,
    body: hasHeader ? rows.slice(1) : rows,
  };
};

const cutLine = (text: string, length: number): string =>
  normalizeLine([...normalizeLine(text.replace(/\p{Cc}/gu, ' '))].slice(0, length).join(''));

/** Reads the courses of a CSV file. Of several rows with the same course the last one counts, and their books add up. */
const readCourses = (rows: readonly CsvRow[]) => {
  const { columns, isIsbnLast, body } = readHeader(rows);
  // Several ISBNs are in cells of their own if nobody quoted them, because the file may be separated by semicolons, too.
  const readIsbns = (cells: readonly string[]): string =>
    isIsbnLast ? cells.slice(columns.isbn).join(';') : (cells[columns.isbn] ?? '');
  const courses = new Map<string, ImportedCourse>();
  const broken: { line: number; reason: string }[] = [];
  let duplicates = 0;
  for (const { line, cells } of body) {
    const read = (name: ColumnName): string => cells[columns[name]] ?? '';
    const { data: code } = courseSchema.safeParse(read('code'));
    const title = cutLine(read('title'), maxTitleLength);
    if (!code || title === '') {
      broken.push({ line, reason: code ? 'the title is missing' : 'the code is not valid' });
      continue;
    }
    const texts = cutLine(readIsbns(cells), maxIsbnsLength)
      .split(/[,;|]| (?=97[89])/)
      .map((text) => text.trim())
      .filter(Boolean);
    const isbns = texts.flatMap((text) => parseIsbn(text) ?? []);
    if (isbns.length < texts.length) broken.push({ line, reason: 'an ISBN is not valid' });
    const earlier = courses.get(code);
    if (earlier) duplicates += 1;
    courses.set(code, {
      code,
      title,
      term: cutLine(read('term'), maxTermLength) || null,
      isbns: [...new Set([...(earlier?.isbns ?? []), ...isbns])].slice(0, maxBooksOfCourse),
    });
  }
  return { courses: [...courses.values()], duplicates, broken };
};

/**
 * Stores the courses of a CSV file: code, title, term, and ISBNs, in this order or named by a header. Courses that are not in
 * the file stay. Throws validation_failed when the file cannot be read, is not UTF-8, names no course, or there would be too
 * many.
 */
export const storeCourses = async (tx: Queryable, csv: string): Promise<CourseImportResult> => {
  // What browsers put in the place of bytes that are not UTF-8.
  if (csv.includes('\ufffd'))
    throw createRefusal('This file has broken letters (\ufffd). Save it as CSV UTF-8.');
  const rows = parseCsv(csv);
  if (!rows) throw createRefusal('A quote in this file is not closed');
  const { courses, duplicates, broken } = readCourses(rows);
  if (courses.length === 0)
    throw createRefusal('This file names no course: each line needs a code and a title');
  await repository.lockCourses(tx);
  const counts = await repository.upsertCourses(tx, courses);
  await repository.replaceBooksOfCourses(tx, courses);
  if ((await repository.countCourses(tx)) > maxCourses)
    throw createRefusal(`There can be at most ${maxCourses} courses`);
  return { ...counts, duplicates, broken: broken.length, examples: broken.slice(0, maxBrokenLines) };
};

/** Imports courses like `storeCourses`, with an entry in the audit trail. */
export const importCourses = async (app: App, csv: string): Promise<CourseImportResult> => {
  const result = await runInTransaction(app.sql, async (tx) => {
    const stored = await storeCourses(tx, csv);
    const detail = `${stored.added} added, ${stored.changed} changed`;
    await noteSecurityEvent(app, { event: 'courses_imported', detail }, tx);
    return stored;
  });
  await invalidateCategoryPages(app, ['textbooks']);
  return result;
};

/** Lists a page of courses by their codes, those whose code begins with a text or whose title contains it. */
export const listConsoleCourses = async (
  { sql }: App,
  { q = '', cursor = '' }: { q?: string | undefined; cursor?: string | undefined },
) => {
  const text = normalizeLine(q);
  const found = await repository.listCourses(sql, {
    text: foldText(text),
    code: normalizeCourse(text).replaceAll(/[\s-]/g, ''),
    after: cursor,
    limit: coursePageSize + 1,
  });
  const items: ConsoleCourse[] = found.slice(0, coursePageSize);
  const nextCursor = found.length > coursePageSize ? (items.at(-1)?.code ?? null) : null;
  return { items, total: await repository.countCourses(sql), next_cursor: nextCursor };
};

/** Removes a course from the list. Listings keep its code. Throws course_not_found. */
export const removeCourse = async (app: App, text: string): Promise<void> => {
  const code = normalizeCourse(text);
  await runInTransaction(app.sql, async (tx) => {
    if ((await repository.deleteCourses(tx, [code])) === 0) throw createProblem('course_not_found');
    await noteSecurityEvent(app, { event: 'course_removed', detail: code }, tx);
  });
  await invalidateCategoryPages(app, ['textbooks']);
};
