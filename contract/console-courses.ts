import { z } from 'zod';
import { auditReasonBodySchema } from './audit.ts';
import { courseSchema } from './books.ts';

/** Maximum size of an imported list of courses, in characters. */
export const maxCourseFileLength = 2_000_000;

const courseFileErrorMessages = {
  missing: 'Choose a file with courses',
  large: 'The file is too large: at most 2 MB',
} as const;

export const courseImportSchema = z
  .object({
    /** The content of the CSV file. */
    csv: z
      .string({ error: courseFileErrorMessages.missing })
      .min(1, courseFileErrorMessages.missing)
      .max(maxCourseFileLength, courseFileErrorMessages.large),
  })
  .extend(auditReasonBodySchema.shape);

/** The result of an import. */
export const courseImportResultSchema = z.object({
  added: z.int(),
  changed: z.int(),
  /** Number of lines with a course that an earlier line has, too; the last line counts. */
  duplicates: z.int(),
  broken: z.int(),
  /** The first broken lines. */
  examples: z.array(z.object({ line: z.int(), reason: z.string() })),
});
export type CourseImportResult = z.infer<typeof courseImportResultSchema>;

/** Number of courses on a page. */
export const coursePageSize = 50;

/** Maximum number of broken lines that the result of an import names. */
export const maxBrokenLines = 20;

export const consoleCourseQuerySchema = z.object({
  q: z.string().max(200).optional(),
  /** The code of the last course of the previous page. */
  cursor: z.string().max(40).optional(),
});

export const consoleCoursePageSchema = z.object({
  /** In the order of their codes. */
  items: z.array(courseSchema.extend({ title: z.string(), books: z.int() })),
  /** Number of all courses. */
  total: z.int(),
  next_cursor: z.string().nullable(),
});
export type ConsoleCourse = z.infer<typeof consoleCoursePageSchema>['items'][number];
