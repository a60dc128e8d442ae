import { readFile } from 'node:fs/promises';
import { storeBooks, storeCourses } from '#server/features/books/public.ts';
import { parseCsv } from '#server/platform/csv.ts';
import type { Queryable } from '#server/platform/postgres/database.ts';
import { type DemoTexts, replaceTexts } from './data.ts';

const readDemoFile = (name: string): Promise<string> =>
  readFile(new URL(`../../demo/${name}`, import.meta.url), 'utf8');

/** Returns the courses of the demo campus, with the terms of a campus in the place of those of others. */
export const readDemoCourses = async (texts: DemoTexts = {}): Promise<string> =>
  replaceTexts(await readDemoFile('courses.csv'), texts);

/** Stores the courses and the catalog of books of the demo campus. */
export const createDemoBooks = async (tx: Queryable, texts?: DemoTexts): Promise<void> => {
  await storeCourses(tx, await readDemoCourses(texts));
  await storeBooks(tx, await readDemoFile('books.tsv'));
};

const readColumns = async (name: string): Promise<{ keys: string[]; titles: string[] }> => {
  const rows = (parseCsv(await readDemoFile(name)) ?? []).slice(1);
  return { keys: rows.map(({ cells }) => cells[0] ?? ''), titles: rows.map(({ cells }) => cells[1] ?? '') };
};

/** Deletes the courses and books of the demo campus that an administrator has not changed. */
export const deleteDemoBooks = async (sql: Queryable): Promise<void> => {
  const courses = await readColumns('courses.csv');
  await sql`
    DELETE FROM courses USING unnest(${courses.keys}::text[], ${courses.titles}::text[]) AS demo (code, title)
    WHERE courses.code = demo.code AND courses.title = demo.title`;
  const books = await readColumns('books.tsv');
  await sql`
    DELETE FROM books USING unnest(${books.keys}::text[], ${books.titles}::text[]) AS demo (isbn, title)
    WHERE books.isbn = demo.isbn AND books.title = demo.title`;
};
