import type { Course, CourseDetail } from '#contract/books.ts';
import { normalizeCourse } from '#contract/category-field-schemas.ts';
import { createProblem } from '#contract/errors.ts';
import { foldText } from '#contract/search-text.ts';
import { normalizeLine } from '#contract/text.ts';
import type { App } from '#server/app.ts';
import * as repository from './repository.ts';

/** Of a path with more hyphens, only the spelling with all of them and the one with none are looked for. */
const maxHyphens = 6;

/**
 * Returns the codes that a part of a path can stand for, because each of its hyphens can be a space of the code: "MATH-125" is
 * "MATH 125", and "ITP-104-L" is "ITP 104-L".
 */
const listCodes = (text: string): string[] => {
  const [first = '', ...others] = text.split('-');
  if (others.length > maxHyphens) return [text, text.replaceAll('-', ' ')].map(normalizeCourse);
  const spellings = others.reduce(
    (starts, part) => starts.flatMap((start) => [`${start} ${part}`, `${start}-${part}`]),
    [first],
  );
  return [...new Set(spellings.map(normalizeCourse))];
};

/** Returns a course that is in the list of the campus, or that published listings name. Throws course_not_found. */
export const getCourse = async ({ sql }: App, text: string): Promise<CourseDetail> => {
  const codes = listCodes(text);
  const course = await repository.findCourse(sql, codes);
  if (course) return { ...course, books: await repository.listBooksOfCourse(sql, course.code) };
  const code = await repository.findListedCourse(sql, codes);
  if (code === undefined) throw createProblem('course_not_found');
  return { code, title: null, term: null, books: [] };
};

/** Returns the courses that a person who types a text may mean: by the beginning of the code, or by words of the title. */
export const suggestCourses = async ({ sql }: App, typed: string): Promise<Course[]> => {
  const text = normalizeLine(typed);
  if (text === '') return [];
  return repository.suggestCourses(sql, {
    code: normalizeCourse(text).replaceAll(/[\s-]/g, ''),
    title: foldText(text),
  });
};
