import { useState } from 'react';
import { data, type LoaderFunctionArgs, type MetaFunction, redirect, useLoaderData } from 'react-router';
import type { Campus } from '#contract/campus.ts';
import type { ErrorBody } from '#contract/errors.ts';
import type { ListingQuery } from '#contract/listing-queries.ts';
import type { ListingCard } from '#contract/listings.ts';
import { listingPageSize } from '#contract/paging.ts';
import { links } from '#web/lib/links.ts';
import { pageLoaderContext } from '#web/lib/page-context.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { cleanUrlText } from '#web/lib/url-text.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { LazyBrowseEmptyState } from '#web/listings/lazy-parts.tsx';
import { ListingFeed } from '#web/listings/listing-feed.tsx';
import { formatItemCount } from '#web/listings/public.ts';
import { SaveSearchButton } from '#web/saved-searches/save-search.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';

const CourseNotFound = lazyComponent(
  async () => (await import('#web/listings/course-not-found.tsx')).CourseNotFound,
);
// The books of the course are below the fold.
const CourseBooks = lazyComponent(async () => (await import('#web/listings/course-books.tsx')).CourseBooks);

const isCourseNotFound = (error: unknown): boolean =>
  (error as Partial<ErrorBody> | undefined)?.code === 'course_not_found';

export const loader = async ({ context, params }: LoaderFunctionArgs) => {
  const { reads, now } = context.get(pageLoaderContext);
  const spelled = params.code ?? '';
  try {
    const course = await reads.getCourse(spelled);
    // A course has one address, however a person spells it.
    if (spelled !== course.code.replaceAll(' ', '-')) throw redirect(links.course(course.code), 301);
    const query: Partial<ListingQuery> = { category: 'textbooks', course: course.code };
    const page = await reads.listListings({ ...query, limit: listingPageSize });
    return data({ spelled, found: { course, query, page, resultsAt: now.toISOString() } });
  } catch (error) {
    if (!isCourseNotFound(error)) throw error;
    return data({ spelled: cleanUrlText(spelled), found: undefined }, { status: 404 });
  }
};

const describeOffers = (
  course: { code: string; title: string | null },
  items: readonly ListingCard[],
  { name }: Campus,
  publicUrl: string,
) => ({
  '@context': 'https://schema.org',
  '@type': 'CollectionPage',
  about: {
    '@type': 'Course',
    courseCode: course.code,
    name: course.title ?? course.code,
    provider: { '@type': 'CollegeOrUniversity', name },
  },
  mainEntity: {
    '@type': 'ItemList',
    itemListElement: items.map(({ slug, title }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: title,
      url: `${publicUrl}${links.listing(slug)}`,
    })),
  },
});

export const meta: MetaFunction<typeof loader> = ({ matches, loaderData }) => {
  const site = getSiteData(matches);
  if (!loaderData?.found)
    return createPageMeta(site, {
      title: 'Course not found',
      description: 'There is no such course.',
      path: links.category('textbooks'),
      unlisted: true,
    });
  const { course, page } = loaderData.found;
  return createPageMeta(site, {
    title: `Books for ${course.code}`,
    description: `Textbooks for ${[course.code, course.title].filter(Boolean).join(', ')} from students at ${site.campus.name}. Message the seller and meet on campus.`,
    path: links.course(course.code),
    unlisted: page.total === 0,
    structured: describeOffers(course, page.items, site.campus, site.publicUrl),
  });
};

export default function CoursePage() {
  const campus = useCampus();
  const { spelled, found } = useLoaderData<typeof loader>();
  const [newIds, setNewIds] = useState<ReadonlySet<string>>();
  if (!found)
    return (
      <PageBody>
        <CourseNotFound code={spelled} />
      </PageBody>
    );
  const { course, query, page, resultsAt } = found;
  const subtitle = [course.title, course.term].filter(Boolean).join(' · ');
  return (
    <PageBody className="max-md:pt-4">
      <PageHeading of={course.code} subtitle={subtitle && <bdi>{subtitle}</bdi>}>
        <bdi>{course.code}</bdi>
      </PageHeading>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold text-ink-muted">{formatItemCount(page.total, campus)}</h2>
        <SaveSearchButton query={query} resultsAt={resultsAt} onVisit={setNewIds} />
      </div>
      {page.items.length > 0 ? (
        <ListingFeed first={page} query={query} stagger={0.1} newIds={newIds} />
      ) : (
        <LazyBrowseEmptyState
          title="No books for this course right now"
          text="Save this search, and we tell you when somebody offers one."
        />
      )}
      {course.books.length > 0 && (
        <div className="mt-8">
          <CourseBooks books={course.books} />
        </div>
      )}
    </PageBody>
  );
}
