import type { Book, BookLookup, ListingBook } from '#contract/books.ts';
import { toCampusDay } from '#contract/campus.ts';
import { conditions } from '#contract/categories.ts';
import { createProblem } from '#contract/errors.ts';
import { foldText } from '#contract/search-text.ts';
import { soldListingPageDays } from '#contract/selling.ts';
import type { App } from '#server/app.ts';
import { addSeconds, dayInSeconds } from '#server/platform/clock.ts';
import * as repository from './repository.ts';

/**
 * Returns what is known about a book: the catalog's words, completed by those of earlier listings of the same book, whose
 * titles also describe the offer.
 */
export const lookUpBook = async ({ sql }: App, isbn: string): Promise<BookLookup> => {
  const cataloged = await repository.findCatalogBook(sql, isbn);
  const listed = await repository.findListedBook(sql, isbn);
  if (!cataloged) return { book: listed ? { ...listed, source: 'listing' } : null };
  return {
    book: {
      isbn,
      title: cataloged.title,
      authors: cataloged.authors ?? listed?.authors ?? null,
      edition: cataloged.edition ?? listed?.edition ?? null,
      published_year: cataloged.published_year ?? listed?.published_year ?? null,
      source: 'catalog',
    },
  };
};

/** Returns the title of a book without its subtitle, in the form in which searches compare it. */
const toComparableTitle = (title: string): string => foldText(title.split(/[:(,]/, 1)[0] ?? '').trim();

/** Returns the book of the course that has the same title as a listing's book but another ISBN. */
const findCourseEdition = (
  listing: { title: string; isbn: string },
  catalogTitle: string | null | undefined,
  books: readonly Book[],
): Book | undefined => {
  if (books.some(({ isbn }) => isbn === listing.isbn)) return undefined;
  const listingTitle = foldText(listing.title);
  return books.find(({ title }) => {
    const comparable = title === null ? '' : toComparableTitle(title);
    if (comparable === '') return false;
    return catalogTitle ? toComparableTitle(catalogTitle) === comparable : listingTitle.includes(comparable);
  });
};

const summarizeCopies = (rows: Awaited<ReturnType<typeof repository.listCopies>>): ListingBook['copies'] =>
  rows.length === 0
    ? null
    : {
        count: rows.reduce((sum, { count }) => sum + count, 0),
        lowest_price: Math.min(...rows.map(({ lowest_price: price }) => price)),
        highest_price: Math.max(...rows.map(({ highest_price: price }) => price)),
        conditions: rows
          .map(({ condition, count }) => ({ condition, count }))
          .sort((a, b) => conditions.indexOf(a.condition) - conditions.indexOf(b.condition)),
      };

/** Returns what the page of a listing shows about its book. Throws listing_not_found. */
export const getListingBook = async (app: App, slug: string): Promise<ListingBook> => {
  const { sql, clock, config } = app;
  const today = toCampusDay(config.campus, clock.now());
  const soldAfter = addSeconds(clock.now(), -soldListingPageDays * dayInSeconds);
  const listing = await repository.findBookOfListing(sql, slug, { today, soldAfter });
  if (!listing) throw createProblem('listing_not_found');
  const { id, title, isbn, course } = listing;
  const courses = await repository.listCoursesOfBook(sql, { isbn, code: course });
  if (isbn === null) return { isbn, copies: null, courses, course_edition: null };
  const copies = summarizeCopies(await repository.listCopies(sql, { isbn, exceptId: id, today }));
  const books = course === null ? [] : await repository.listBooksOfCourse(sql, course);
  const cataloged = books.length > 0 ? await repository.findCatalogBook(sql, isbn) : undefined;
  const book = findCourseEdition({ title, isbn }, cataloged?.title, books);
  return { isbn, copies, courses, course_edition: course !== null && book ? { course, book } : null };
};
