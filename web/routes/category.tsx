import { ArrowLeft, ShieldCheck } from 'lucide-react';
import { type ComponentType, lazy, type ReactNode } from 'react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { isCategory } from '#contract/categories.ts';
import { gameDays } from '#contract/game-days.ts';
import {
  gameDateRanges,
  type ListingPage,
  type ListingQuery,
  type ListingSort,
} from '#contract/listing-queries.ts';
import { maxExactTotal, pageSize } from '#contract/paging.ts';
import { dayRange, formatCount } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { pageContext } from '#web/lib/page-context.ts';
import { pageMeta, siteDataFromMatches } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { LazyFilterBar } from '#web/listings/lazy-filter-bar.tsx';
import { ListingFeed } from '#web/listings/listing-feed.tsx';
import {
  type CategoryCopy,
  type FilterName,
  findCategoryCopy,
  genericHeading,
  pageFilters,
  parseChosenFilters,
  parseSort,
  toListingQuery,
} from '#web/listings/public.ts';
import { Refreshing, ResultCount } from '#web/listings/refreshing.tsx';
import { SortButtons } from '#web/listings/sort-buttons.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import {
  FurnitureTile,
  GameDayTile,
  MerchandiseTile,
  RentalsTile,
} from '#web/ui/illustrations/category-tiles.tsx';
import { LazyPart } from '#web/ui/lazy-part.tsx';

// The drawings of the empty state are loaded only when it is shown.
const BrowseEmpty = lazy(async () => ({
  default: (await import('#web/listings/browse-empty.tsx')).BrowseEmpty,
}));

const FilteredEmpty = lazy(async () => ({
  default: (await import('#web/listings/filtered-empty.tsx')).FilteredEmpty,
}));

const nothing: ListingPage = { items: [], total: 0, next_cursor: null };

export const loader = async ({ context, params, request }: LoaderFunctionArgs) => {
  const slug = params.category ?? '';
  if (!isCategory(slug)) {
    const query: Partial<ListingQuery> = {};
    return { slug, known: false, query, filters: [], days: {}, filtered: false, page: nothing };
  }
  const { searchParams } = new URL(request.url);
  const sort = parseSort(searchParams);
  const filters = pageFilters[slug];
  const chosen = parseChosenFilters(searchParams, filters);
  const query: Partial<ListingQuery> = {
    category: slug,
    ...(sort ? { sort } : {}),
    ...toListingQuery(chosen),
  };
  const { reads, campus, now } = context.get(pageContext);
  const page = await reads.listListings({ ...query, limit: pageSize });
  const days: Record<string, string> = {};
  if (filters.includes('game_date')) {
    for (const range of gameDateRanges) {
      const { from, to } = gameDays(range, campus, now);
      days[range] = dayRange(from, to);
    }
  }
  return { slug, known: true, query, filters, days, filtered: Object.keys(chosen).length > 0, page };
};

export const meta: MetaFunction<typeof loader> = ({ matches, params, loaderData }) => {
  const site = siteDataFromMatches(matches);
  const slug = params.category ?? '';
  const title = findCategoryCopy(slug, site.campus)?.title ?? genericHeading(slug, site.campus);
  return pageMeta(site, {
    title,
    description: `${title}: what students at ${site.campus.name} sell, rent and give away. Message the seller and meet on campus.`,
    path: links.category(slug),
    unlisted: !loaderData?.known,
  });
};

export default function CategoryPage() {
  const { slug, known, query, filters, days, filtered, page } = useLoaderData<typeof loader>();
  const campus = useCampus();
  const copy = findCategoryCopy(slug, campus);
  const feed = page.items.length > 0 && (
    <Refreshing>
      <ListingFeed key={JSON.stringify(query)} first={page} query={query} stagger={0.1} />
    </Refreshing>
  );
  return copy ? (
    <DedicatedPage
      slug={slug}
      copy={copy}
      filters={filters}
      days={days}
      filtered={filtered}
      total={page.total}
      feed={feed}
    />
  ) : (
    <GenericPage
      slug={slug}
      known={known}
      filters={filters}
      sort={query.sort}
      filtered={filtered}
      total={page.total}
      feed={feed}
    />
  );
}

const drawings: Record<string, ComponentType> = {
  'game-day': GameDayTile,
  merchandise: MerchandiseTile,
  rentals: RentalsTile,
  furniture: FurnitureTile,
};

const available = (total: number): string =>
  total === 1 ? '1 item available' : `${formatCount(total, maxExactTotal)} items available`;

function BackToHome() {
  return (
    <Link
      to={links.home}
      className="inline-flex min-h-11 items-center gap-2 font-semibold text-on-brand text-sm underline-offset-4 hover:underline"
    >
      <ArrowLeft aria-hidden="true" className="size-4" />
      Back to Home
    </Link>
  );
}

interface PageProps {
  slug: string;
  filters: readonly FilterName[];
  /** Whether any of them is chosen. */
  filtered: boolean;
  total: number;
  /** Nothing when there are no listings. */
  feed: ReactNode;
}

interface DedicatedPageProps extends PageProps {
  copy: CategoryCopy;
  /** The days that each choice of the game date filter covers. */
  days: Record<string, string>;
}

function DedicatedPage({ slug, copy, filters, days, filtered, total, feed }: DedicatedPageProps) {
  const Drawing = drawings[slug];
  return (
    <>
      <HeroBanner
        compact
        title={copy.title}
        subtitle={copy.subtitle}
        above={<BackToHome />}
        illustration={Drawing && <Drawing />}
      />
      <PageBody className="max-md:pt-2">
        <LazyFilterBar names={filters} days={days} total={total} />
        <h2 className="mb-2 font-semibold text-ink-muted md:mb-4">
          <ResultCount>{available(total)}</ResultCount>
        </h2>
        {feed || (
          <LazyPart>
            {filtered ? <FilteredEmpty reset={links.category(slug)} /> : <BrowseEmpty title={copy.empty} />}
          </LazyPart>
        )}
        {copy.note && (
          <p className="mx-auto mt-10 flex max-w-2xl items-start gap-3 rounded-lg bg-lawn-soft p-4 text-lawn-text md:p-5">
            <ShieldCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
            {copy.note}
          </p>
        )}
      </PageBody>
    </>
  );
}

interface GenericPageProps extends PageProps {
  /** Whether there is such a category. */
  known: boolean;
  sort: ListingSort | undefined;
}

function GenericPage({ slug, known, filters, sort, filtered, total, feed }: GenericPageProps) {
  const campus = useCampus();
  return (
    <>
      <HeroBanner
        compact
        title={genericHeading(slug, campus)}
        subtitle="Posted by people on your campus."
        above={<BackToHome />}
      />
      <PageBody className="max-md:pt-2">
        {known && <LazyFilterBar names={filters} total={total} {...(sort ? { keep: { sort } } : {})} />}
        <div className="mb-2 flex flex-wrap items-center justify-between gap-x-6 md:gap-y-3 md:mb-5">
          <h2 className="font-semibold text-ink-muted">
            <ResultCount>{available(total)}</ResultCount>
          </h2>
          <SortButtons />
        </div>
        {feed || (
          <LazyPart>
            {filtered ? (
              <FilteredEmpty reset={links.category(slug)} />
            ) : (
              <BrowseEmpty title="No items found" text="Be the first to list an item in this category!" />
            )}
          </LazyPart>
        )}
      </PageBody>
    </>
  );
}
