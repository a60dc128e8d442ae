import { ArrowLeft, ShieldCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import { isCategory } from '#contract/categories.ts';
import { normalizeCategoryFilters } from '#contract/category-field-schemas.ts';
import { resolveGameDateRange } from '#contract/game-days.ts';
import { gameDateRanges, type ListingPage, type ListingQuery } from '#contract/listing-queries.ts';
import { listingPageSize } from '#contract/paging.ts';
import { formatDayRange } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { pageLoaderContext } from '#web/lib/page-context.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { cleanUrlText } from '#web/lib/url-text.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { LazyBrowseEmptyState, LazyFilteredEmptyState } from '#web/listings/lazy-parts.tsx';
import { ListToolbar } from '#web/listings/list-toolbar.tsx';
import { ListingFeed } from '#web/listings/listing-feed.tsx';
import {
  type CategoryTexts,
  filtersByCategory,
  findCategoryTexts,
  formatItemCount,
  parseChosenFilters,
  parseSortOrder,
  redirectTypedAmounts,
  sortsByCategory,
  toGenericHeading,
  toListingQuery,
} from '#web/listings/public.ts';
import { PendingResults, ResultCount } from '#web/listings/result-status.tsx';
import { SaveSearchButton } from '#web/saved-searches/save-search.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { HeroBanner } from '#web/ui/hero-banner.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { isWantedTab } from '#web/wanted/public.ts';
import { WantedTabs } from '#web/wanted/wanted-tabs.tsx';

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
      sorts: undefined,
      days: {},
      filtered: false,
      page: emptyListingPage,
      resultsAt: '',
    };
  }
  const url = new URL(request.url);
  const { searchParams } = url;
  const { reads, campus, now } = context.get(pageLoaderContext);
  redirectTypedAmounts(url, campus);
  const sorts = sortsByCategory[slug];
  const sort = parseSortOrder(searchParams, sorts);
  const filters = filtersByCategory[slug];
  const chosen = parseChosenFilters(searchParams, filters);
  const query: Partial<ListingQuery> = {
    category: slug,
    ...(sort ? { sort } : {}),
    ...toListingQuery(chosen, filters),
    ...normalizeCategoryFilters(chosen),
  };
  const page = isWantedTab(searchParams)
    ? emptyListingPage
    : await reads.listListings({ ...query, limit: listingPageSize });
  const days: Record<string, string> = {};
  if (filters.includes('game_date')) {
    for (const range of gameDateRanges) {
      const { from, to } = resolveGameDateRange(range, campus, now);
      days[range] = formatDayRange(from, to, campus);
    }
  }
  return {
    slug,
    known: true,
    query,
    filters,
    sorts,
    days,
    filtered: Object.keys(chosen).length > 0,
    page,
    resultsAt: now.toISOString(),
  };
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
  const { slug, known, query, filters, sorts, days, filtered, page, resultsAt } =
    useLoaderData<typeof loader>();
  const campus = useCampus();
  const texts = known && findCategoryTexts(slug, campus);
  const [newIds, setNewIds] = useState<ReadonlySet<string>>();
  const { sort: _, ...savedQuery } = query;
  const count = <ResultCount>{formatItemCount(page.total, campus)}</ResultCount>;
  const toolbar = sorts ? (
    <ListToolbar
      names={filters}
      sorts={sorts}
      days={days}
      total={page.total}
      save={<SaveSearchButton query={savedQuery} resultsAt={resultsAt} onVisit={setNewIds} />}
      count={count}
    />
  ) : (
    <h2 className="mb-3 font-semibold text-ink-muted">{count}</h2>
  );
  const feed = page.items.length > 0 && (
    <PendingResults>
      <ListingFeed first={page} query={query} stagger={0.1} newIds={newIds} />
    </PendingResults>
  );
  const list = feed || (filtered && <LazyFilteredEmptyState names={filters} reset={links.category(slug)} />);
  return texts ? (
    <DedicatedCategoryPage slug={slug} texts={texts} toolbar={toolbar} list={list} />
  ) : (
    <GenericCategoryPage slug={slug} toolbar={toolbar} list={list} />
  );
}

// The server renders the illustration into the page; its script loads after those that every page needs.
const LazyCategoryIllustration = lazyComponent(
  async () => (await import('#web/ui/illustrations/category-illustration.tsx')).CategoryIllustration,
  { failed: () => null },
);

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
  /** The filters, the sort order and the number of listings. */
  toolbar: ReactNode;
  /** The listings, or a message that the filters match none. False if the category is empty. */
  list: ReactNode;
}

function DedicatedCategoryPage({ slug, texts, toolbar, list }: CategoryPageProps & { texts: CategoryTexts }) {
  return (
    <>
      <HeroBanner
        compact
        title={texts.title}
        subtitle={texts.subtitle}
        above={<BackToHome />}
        illustration={<LazyCategoryIllustration category={slug} />}
      />
      <PageBody className="max-md:pt-2">
        <WantedTabs category={slug}>
          {toolbar}
          {list || <LazyBrowseEmptyState title={texts.empty} />}
        </WantedTabs>
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

function GenericCategoryPage({ slug, toolbar, list }: CategoryPageProps) {
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
        <WantedTabs category={slug}>
          {toolbar}
          {list || (
            <LazyBrowseEmptyState
              title="No items found"
              text="Be the first to list an item in this category!"
            />
          )}
        </WantedTabs>
      </PageBody>
    </>
  );
}
