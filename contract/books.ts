import { z } from 'zod';
import { conditions } from './categories.ts';
import { parseIsbn } from './isbn.ts';

/** What is known about a book, from the catalog that the operator imported or from earlier listings. */
export const bookSchema = z.object({
  /** The ISBN-13. */
  isbn: z.string(),
  title: z.string().nullable(),
  authors: z.string().nullable(),
  edition: z.string().nullable(),
  published_year: z.int().nullable(),
});
export type Book = z.infer<typeof bookSchema>;

/** Path parameters with an ISBN-10 or ISBN-13. */
export const isbnParamsSchema = z.object({
  isbn: z
    .string()
    .max(30)
    .refine((text) => parseIsbn(text) !== undefined)
    .overwrite((text) => parseIsbn(text) ?? text),
});

export const bookLookupSchema = z.object({
  /** Null when nothing is known about the book. */
  book: bookSchema.extend({ source: z.enum(['catalog', 'listing']) }).nullable(),
});
export type BookLookup = z.infer<typeof bookLookupSchema>;

/** A course of the campus. Title and term are null when only listings name it. */
export const courseSchema = z.object({
  code: z.string(),
  title: z.string().nullable(),
  term: z.string().nullable(),
});
export type Course = z.infer<typeof courseSchema>;

/** Maximum number of courses in the list of the campus, of suggestions, and of books that a course names. */
export const maxCourses = 20_000;
export const maxCourseSuggestions = 8;
export const maxBooksOfCourse = 20;
export const maxCoursesOfBook = 10;

const maxQueryLength = 80;

export const courseSuggestionQuerySchema = z.object({ q: z.string().max(maxQueryLength) });

/** Path parameters with the code of a course, as in its path: MATH-125. */
export const courseParamsSchema = z.object({ code: z.string().min(1).max(40) });

export const courseDetailSchema = courseSchema.extend({ books: z.array(bookSchema) });
export type CourseDetail = z.infer<typeof courseDetailSchema>;

/** What the page of a textbook shows about other copies of the book and its courses. */
export const listingBookSchema = z.object({
  /** The ISBN-13 of the listing, or null when its owner gave none. */
  isbn: z.string().nullable(),
  /** The other listings of the same ISBN that can be had now, or null when there are none. */
  copies: z
    .object({
      count: z.int(),
      lowest_price: z.number(),
      highest_price: z.number(),
      /** Their conditions, the best first. */
      conditions: z.array(z.object({ condition: z.enum(conditions), count: z.int() })),
    })
    .nullable(),
  courses: z.array(courseSchema),
  /** The edition that the listing's course uses, when the listing offers another edition of this book. */
  course_edition: z.object({ course: z.string(), book: bookSchema }).nullable(),
});
export type ListingBook = z.infer<typeof listingBookSchema>;
