import {
  bookLookupSchema,
  courseDetailSchema,
  courseParamsSchema,
  courseSchema,
  courseSuggestionQuerySchema,
  isbnParamsSchema,
  listingBookSchema,
} from '../books.ts';
import { createItemListSchema, declareCall } from './declare-call.ts';
import { slugParamsSchema } from './listings.ts';

/** Calls about books and courses. */
export const bookCalls = {
  getBook: declareCall({
    method: 'GET',
    path: '/rest/v1/books/{isbn}',
    summary:
      'Title, authors, edition and year of a book, from the catalog of the campus or from earlier listings; null when it is unknown.',
    access: 'user',
    params: isbnParamsSchema,
    output: bookLookupSchema,
    notFound: 'not_found',
    errors: [],
    limit: 'search',
  }),
  getListingBook: declareCall({
    method: 'GET',
    path: '/rest/v1/listings/{slug}/book',
    summary: 'Other copies of the book of a listing, and the courses that use it.',
    access: 'anyone',
    params: slugParamsSchema,
    output: listingBookSchema,
    notFound: 'listing_not_found',
    errors: [],
  }),
  suggestCourses: declareCall({
    method: 'GET',
    path: '/rest/v1/courses',
    summary: 'Up to eight courses whose code begins with a text, or whose title contains it.',
    access: 'user',
    query: courseSuggestionQuerySchema,
    output: createItemListSchema(courseSchema),
    errors: [],
    limit: 'search',
  }),
  getCourse: declareCall({
    method: 'GET',
    path: '/rest/v1/courses/{code}',
    summary: 'A course with its books. Spaces in its code may be hyphens: MATH-125.',
    access: 'anyone',
    params: courseParamsSchema,
    output: courseDetailSchema,
    notFound: 'course_not_found',
    errors: [],
  }),
} as const;
