import { useQuery } from '@tanstack/react-query';
import { CircleAlert } from 'lucide-react';
import type { ListingBook } from '#contract/books.ts';
import { calls } from '#contract/calls.ts';
import type { Campus } from '#contract/campus.ts';
import { conditionLabels } from '#contract/categories.ts';
import { formatPrice } from '#contract/prices.ts';
import { request } from '#web/lib/api.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { SectionHeading } from '#web/ui/section-heading.tsx';
import { StandaloneLink } from '#web/ui/text-link.tsx';

type Copies = NonNullable<ListingBook['copies']>;
type CourseEdition = NonNullable<ListingBook['course_edition']>;

const formatPriceRange = (
  { lowest_price: lowest, highest_price: highest }: Copies,
  campus: Campus,
): string =>
  lowest === highest
    ? formatPrice(campus, lowest)
    : `${formatPrice(campus, lowest)} to ${formatPrice(campus, highest)}`;

const formatConditions = ({ conditions }: Copies): string =>
  conditions.map(({ condition, count }) => `${count} ${conditionLabels[condition]}`).join(', ');

/** Returns the edition with the word, which many people leave out: "9th edition". */
const formatEdition = (edition: string): string => (/\bed/i.test(edition) ? edition : `${edition} edition`);

const formatCourseEdition = ({ course, book }: CourseEdition): string =>
  book.edition ? `${course} uses the ${formatEdition(book.edition)}.` : `${course} uses another edition.`;

/** The prices and conditions of other copies of a listing's book, its courses, and whether they use another edition. */
export function BookFacts({ slug }: { slug: string }) {
  const campus = useCampus();
  const { data } = useQuery(
    {
      queryKey: ['listing-book', slug],
      queryFn: ({ signal }) => request(calls.getListingBook, { params: { slug }, signal }),
    },
    queryClient,
  );
  // What is missing here is no reason for an error message on the page.
  if (!data) return null;
  const { copies, courses, course_edition: edition } = data;
  return (
    <div className="mt-12 space-y-8 md:mt-16">
      {edition && (
        <p className="flex items-start gap-2 rounded-lg bg-lawn-soft p-4 text-lawn-text">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
          <span className="min-w-0 break-words">
            <bdi>{formatCourseEdition(edition)}</bdi>{' '}
            <StandaloneLink to={links.search(edition.book.isbn)}>Find that edition</StandaloneLink>
          </span>
        </p>
      )}
      {copies && (
        <section aria-labelledby="copies">
          <SectionHeading id="copies">Other copies of this book</SectionHeading>
          <p>{`${copies.count} for sale, ${formatPriceRange(copies, campus)}`}</p>
          <p className="text-ink-muted text-sm">{formatConditions(copies)}</p>
          {data.isbn && <StandaloneLink to={links.search(data.isbn)}>See all copies</StandaloneLink>}
        </section>
      )}
      {courses.length > 0 && (
        <section aria-labelledby="courses">
          <SectionHeading id="courses">Used in</SectionHeading>
          <ul>
            {courses.map(({ code, title }) => (
              <li key={code} className="flex flex-wrap items-center gap-x-3">
                <StandaloneLink to={links.course(code)}>
                  <bdi>{code}</bdi>
                </StandaloneLink>
                {title && (
                  <span dir="auto" className="text-ink-muted">
                    {title}
                  </span>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
