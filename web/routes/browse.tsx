import { useState } from 'react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import type { ListingPage, ListingQuery } from '#contract/listing-queries.ts';
import { listingPageSize } from '#contract/paging.ts';
import { links } from '#web/lib/links.ts';
import { pageLoaderContext } from '#web/lib/page-context.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { CategoryLinks } from '#web/listings/category-links.tsx';
import { LazyBrowseEmptyState, LazyFilteredEmptyState } from '#web/listings/lazy-parts.tsx';
import { ListToolbar } from '#web/listings/list-toolbar.tsx';
import { ListingFeed } from '#web/listings/listing-feed.tsx';
import {
  browseSorts,
  formatItemCount,
  parseChosenFilters,
  parseSortOrder,
  redirectTypedAmounts,
  searchPageFilters,
  toListingQuery,
} from '#web/listings/public.ts';
import { PendingResults, ResultCount } from '#web/listings/result-status.tsx';
import { SaveSearchButton } from '#web/saved-searches/save-search.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { Button } from '#web/ui/button.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { isWantedTab } from '#web/wanted/public.ts';
import { WantedTabs } from '#web/wanted/wanted-tabs.tsx';

const emptyListingPage: ListingPage = { items: [], total: 0, next_cursor: null };

export const loader = async ({ context, request }: LoaderFunctionArgs) => {
  const url = new URL(request.url);
  const { searchParams } = url;
  const { reads, campus, now } = context.get(pageLoaderContext);
  redirectTypedAmounts(url, campus);
  const chosen = parseChosenFilters(searchParams, searchPageFilters);
  const query: Partial<ListingQuery> = {
    sort: parseSortOrder(searchParams, browseSorts) ?? 'newest',
    ...toListingQuery(chosen, searchPageFilters),
  };
  const page = isWantedTab(searchParams)
    ? emptyListingPage
    : await reads.listListings({ ...query, limit: listingPageSize });
  return {
    query,
    filters: searchPageFilters,
    filtered: Object.keys(chosen).length > 0,
    page,
    resultsAt: now.toISOString(),
  };
};

export const meta: MetaFunction<typeof loader> = ({ matches }) => {
  const site = getSiteData(matches);
  return createPageMeta(site, {
    title: 'Browse all listings',
    description: `Everything that students at ${site.campus.name} sell, rent and give away, newest first: all categories in one place.`,
    path: links.browse,
  });
};

export default function Browse() {
  const campus = useCampus();
  const { query, filters, filtered, page, resultsAt } = useLoaderData<typeof loader>();
  const [newIds, setNewIds] = useState<ReadonlySet<string>>();
  const { sort: _, ...savedQuery } = query;
  return (
    <PageBody className="max-md:pt-3">
      <PageHeading
        className="mb-2! md:mb-4!"
        actions={
          <div className="flex flex-wrap gap-x-4">
            <Button variant="link" asChild>
              <Link to={links.saved}>Saved</Link>
            </Button>
            <Button variant="link" asChild>
              <Link to={links.myListings}>My Listings</Link>
            </Button>
          </div>
        }
      >
        Browse
      </PageHeading>
      <CategoryLinks />
      <div className="-mt-2 md:mt-6">
        <WantedTabs>
          <ListToolbar
            names={filters}
            sorts={browseSorts}
            total={page.total}
            save={
              filtered && <SaveSearchButton query={savedQuery} resultsAt={resultsAt} onVisit={setNewIds} />
            }
            count={<ResultCount>{formatItemCount(page.total, campus)}</ResultCount>}
          />
          {page.items.length > 0 ? (
            <PendingResults>
              <ListingFeed first={page} query={query} stagger={0.1} newIds={newIds} />
            </PendingResults>
          ) : filtered ? (
            <LazyFilteredEmptyState names={filters} reset={links.browse} />
          ) : (
            <LazyBrowseEmptyState title="Nothing posted yet" text="Be the first to post an item!" />
          )}
        </WantedTabs>
      </div>
    </PageBody>
  );
}
