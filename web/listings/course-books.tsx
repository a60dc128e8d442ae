import type { Book } from '#contract/books.ts';
import { links } from '#web/lib/links.ts';
import { StandaloneLink } from '#web/ui/text-link.tsx';

const formatDetails = ({ authors, edition, published_year: year }: Book): string =>
  [authors, edition, year].filter((part) => part !== null).join(' · ');

/** The books that a course uses, each with a link to the listings of its ISBN. */
export function CourseBooks({ books }: { books: readonly Book[] }) {
  return (
    <section aria-labelledby="course-books" className="mb-8">
      <h2 id="course-books" className="font-bold text-lg">
        Books of this course
      </h2>
      <ul className="mt-2 space-y-3">
        {books.map((book) => (
          <li key={book.isbn} className="break-words">
            <p dir="auto" className="font-semibold">
              {book.title ?? 'A book'}
            </p>
            <p dir="auto" className="text-ink-muted text-sm">
              {formatDetails(book)}
            </p>
            <StandaloneLink to={links.search(book.isbn)}>{`ISBN ${book.isbn}`}</StandaloneLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
