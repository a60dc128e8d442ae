import { ArrowLeft, ShieldCheck } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { isCategory } from '#contract/categories.ts';
import { resolveGameDateRange } from '#contract/game-days.ts';
import {
  gameDateRanges,
  type ListingPage,
  type ListingQuery,
  type ListingSort,
} from '#contract/listing-queries.ts';
import { listingPageSize } from '#contract/paging.ts';
import { formatDayRange } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { pageLoaderContext } from '#web/lib/page-context.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { cleanUrlText } from '#web/lib/url-text.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { LazyBrowseEmptyState, LazyFilterBar, LazyFilteredEmptyState } from '#web/listings/lazy-parts.tsx';
import { ListingFeed } from '#web/listings/listing-feed.tsx';
import {
  type CategoryTexts,
  type FilterName,
  filtersByCategory,
  findCategoryTexts,
  formatItemCount,
  parseChosenFilters,
  parseSortOrder,
  toGenericHeading,
  toListingQuery,
} from '#web/listings/public.ts';
import { PendingResults, ResultCount } from '#web/listings/result-status.tsx';
import { SortButtons } from '#web/listings/sort-buttons.tsx';
import { SaveSearchButton } from '#web/saved-searches/save-search.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import {
  FurnitureIllustration,
  GameDayIllustration,
  MerchandiseIllustration,
  RentalsIllustration,
} from '#web/ui/illustrations/category-tiles.tsx';

const emptyListingPage: ListingPage = { items: [], total: 0, next_cursor: null };

export const loader = async ({ context, params, request }: LoaderFunctionArgs) => {
  const slug = params.category ?? '';
  if (!isCategory(slug)) {
    const query: Partial<ListingQuery> = {};
    return {
      slug: cleanUrlText(slug),
      known: false,
      query,
      filters: [],
      days: {},
      filtered: false,
      page: emptyListingPage,
    };
  }
  const { searchParams } = new URL(request.url);
  const sort = parseSortOrder(searchParams);
  const filters = filtersByCategory[slug];
  const chosen = parseChosenFilters(searchParams, filters);
  const query: Partial<ListingQuery> = {
    category: slug,
    ...(sort ? { sort } : {}),
    ...toListingQuery(chosen, filters),
  };
  const { reads, campus, now } = context.get(pageLoaderContext);
  const page = await reads.listListings({ ...query, limit: listingPageSize });
  const days: Record<string, string> = {};
  if (filters.includes('game_date')) {
    for (const range of gameDateRanges) {
      const { from, to } = resolveGameDateRange(range, campus, now);
      days[range] = formatDayRange(from, to);
    }
  }
  return { slug, known: true, query, filters, days, filtered: Object.keys(chosen).length > 0, page };
};

export const meta: MetaFunction<typeof loader> = ({ matches, loaderData }) => {
  const site = getSiteData(matches);
  const slug = loaderData?.slug ?? '';
  const texts = loaderData?.known ? findCategoryTexts(slug, site.campus) : undefined;
  const title = texts?.title ?? toGenericHeading(slug, site.campus);
  return createPageMeta(site, {
    title,
    description: `${title}: what students at ${site.campus.name} sell, rent and give away. Message the seller and meet on campus.`,
    path: links.category(slug),
    unlisted: !loaderData?.known,
  });
};

export default function CategoryPage() {
  const { slug, known, query, filters, days, filtered, page } = useLoaderData<typeof loader>();
  const campus = useCampus();
  const texts = known && findCategoryTexts(slug, campus);
  const [newIds, setNewIds] = useState<ReadonlySet<string>>();
  const { sort, ...savedQuery } = query;
  const save = <SaveSearchButton query={savedQuery} onVisit={setNewIds} />;
  const feed = page.items.length > 0 && (
    <PendingResults>
      <ListingFeed first={page} query={query} stagger={0.1} newIds={newIds} />
    </PendingResults>
  );
  return texts ? (
    <DedicatedCategoryPage
      slug={slug}
      texts={texts}
      filters={filters}
      days={days}
      filtered={filtered}
      total={page.total}
      save={save}
      feed={feed}
    />
  ) : (
    <GenericCategoryPage
      slug={slug}
      known={known}
      filters={filters}
      sort={sort}
      filtered={filtered}
      total={page.total}
      save={save}
      feed={feed}
    />
  );
}

const categoryIllustrations: Record<string, ComponentType> = {
  'game-day': GameDayIllustration,
  merchandise: MerchandiseIllustration,
  rentals: RentalsIllustration,
  furniture: FurnitureIllustration,
};

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

interface CategoryPageProps {
  slug: string;
  filters: readonly FilterName[];
  /** Whether the person has chosen any filters. */
  filtered: boolean;
  total: number;
  save: ReactNode;
  /** The rendered list of listings, or false if there are none. */
  feed: ReactNode;
}

interface DedicatedPageProps extends CategoryPageProps {
  texts: CategoryTexts;
  /** The text of each Game Date option's date range, by option value. */
  days: Record<string, string>;
}

function DedicatedCategoryPage({
  slug,
  texts,
  filters,
  days,
  filtered,
  total,
  save,
  feed,
}: DedicatedPageProps) {
  const Drawing = categoryIllustrations[slug];
  return (
    <>
      <HeroBanner
        compact
        title={texts.title}
        subtitle={texts.subtitle}
        above={<BackToHome />}
        illustration={Drawing && <Drawing />}
      />
      <PageBody className="max-md:pt-2">
        <LazyFilterBar names={filters} days={days} total={total} />
        <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between md:mb-4">
          <h2 className="font-semibold text-ink-muted">
            <ResultCount>{formatItemCount(total)}</ResultCount>
          </h2>
          {save}
        </div>
        {feed ||
          (filtered ? (
            <LazyFilteredEmptyState reset={links.category(slug)} />
          ) : (
            <LazyBrowseEmptyState title={texts.empty} />
          ))}
        {texts.note && (
          <p className="mx-auto mt-10 flex max-w-2xl items-start gap-3 rounded-lg bg-lawn-soft p-4 text-lawn-text md:p-5">
            <ShieldCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
            {texts.note}
          </p>
        )}
      </PageBody>
    </>
  );
}

interface GenericPageProps extends CategoryPageProps {
  /** Whether the slug belongs to an existing category. */
  known: boolean;
  sort: ListingSort | undefined;
}

function GenericCategoryPage({ slug, known, filters, sort, filtered, total, save, feed }: GenericPageProps) {
  const campus = useCampus();
  return (
    <>
      <HeroBanner
        compact
        title={toGenericHeading(slug, campus)}
        subtitle="Posted by people on your campus."
        above={<BackToHome />}
      />
      <PageBody className="max-md:pt-2">
        {known && <LazyFilterBar names={filters} total={total} {...(sort ? { keep: { sort } } : {})} />}
        <div className="mb-2 flex flex-wrap items-center justify-between md:gap-x-6 md:gap-y-3 md:mb-5">
          <h2 className="font-semibold text-ink-muted">
            <ResultCount>{formatItemCount(total)}</ResultCount>
          </h2>
          {known && <span className="md:mr-auto">{save}</span>}
          <SortButtons />
        </div>
        {feed ||
          (filtered ? (
            <LazyFilteredEmptyState reset={links.category(slug)} />
          ) : (
            <LazyBrowseEmptyState
              title="No items found"
              text="Be the first to list an item in this category!"
            />
          ))}
      </PageBody>
    </>
  );
}
