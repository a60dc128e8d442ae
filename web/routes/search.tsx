import { type ReactNode, useState } from 'react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData } from 'react-router';
import type { CampusLocale } from '#contract/campus.ts';
import type { ListingPage } from '#contract/listing-queries.ts';
import { listingPageSize, maxExactMatchCount, similarMatchesThreshold } from '#contract/paging.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { formatCount } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { pageLoaderContext } from '#web/lib/page-context.ts';
import { createPageMeta, getSiteData } from '#web/lib/page-meta.ts';
import { cleanUrlText } from '#web/lib/url-text.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { LazyFilteredEmptyState } from '#web/listings/lazy-parts.tsx';
import { ListToolbar } from '#web/listings/list-toolbar.tsx';
import { ListingFeed } from '#web/listings/listing-feed.tsx';
import { ListingGrid } from '#web/listings/listing-grid.tsx';
import {
  parseChosenFilters,
  parseSortOrder,
  redirectTypedAmounts,
  searchPageFilters,
  searchSorts,
  toListingQuery,
} from '#web/listings/public.ts';
import { PendingResults, ResultCount } from '#web/listings/result-status.tsx';
import { SaveSearchButton } from '#web/saved-searches/save-search.tsx';
import { PageBody } from '#web/shell/page-body.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NothingFoundIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LinkChips } from '#web/ui/link-chips.tsx';
import { PageHeading } from '#web/ui/page-heading.tsx';
import { SectionHeading } from '#web/ui/section-heading.tsx';
import { isWantedTab } from '#web/wanted/public.ts';
import { WantedTabs } from '#web/wanted/wanted-tabs.tsx';

const emptyListingPage: ListingPage = { items: [], total: 0, next_cursor: null };

export const loader = async ({ context, request }: LoaderFunctionArgs) => {
  const url = new URL(request.url);
  const { searchParams } = url;
  const { reads, campus, now } = context.get(pageLoaderContext);
  redirectTypedAmounts(url, campus);
  const q = cleanUrlText(searchParams.get('q') ?? '');
  const chosen = parseChosenFilters(searchParams, searchPageFilters);
  const query = { q, ...toListingQuery(chosen, searchPageFilters) };
  const sort = parseSortOrder(searchParams, searchSorts);
  const sorted = sort ? { ...query, sort } : query;
  const known = {
    q,
    query,
    sorted,
    filters: searchPageFilters,
    filtered: Object.keys(chosen).length > 0,
    resultsAt: now.toISOString(),
  };
  if (!q || isWantedTab(searchParams)) return { ...known, page: emptyListingPage, similar: [] };
  const page = await reads.listListings({ ...sorted, limit: listingPageSize });
  const similar = page.total < similarMatchesThreshold ? await reads.listSimilarMatches(query) : [];
  return { ...known, page, similar };
};

export const meta: MetaFunction<typeof loader> = ({ matches, loaderData }) => {
  const site = getSiteData(matches);
  const q = loaderData?.q;
  return createPageMeta(site, {
    title: q ? `Search results for "${isolateDirection(q)}"` : 'Search',
    description: `Search everything that students at ${site.campus.name} sell, rent and give away.`,
    path: links.search(),
  });
};

const formatResultCount = (total: number, q: string, campus: CampusLocale): string =>
  `${formatCount(total, campus, maxExactMatchCount)} ${total === 1 ? 'result' : 'results'} for "${isolateDirection(q)}"`;

export default function Search() {
  const campus = useCampus();
  const { q, query, sorted, filters, filtered, page, similar, resultsAt } = useLoaderData<typeof loader>();
  const [newIds, setNewIds] = useState<ReadonlySet<string>>();
  const save = q && <SaveSearchButton query={query} resultsAt={resultsAt} onVisit={setNewIds} />;
  const hasResults = page.items.length > 0;
  return (
    <PageBody className="max-md:pt-4">
      <PageHeading
        of={q}
        className="max-md:mb-3"
        subtitle={q && <ResultCount>{formatResultCount(page.total, q, campus)}</ResultCount>}
      >
        Search Results
      </PageHeading>
      <WantedTabs q={q}>
        {q && (filtered || hasResults) && (
          <ListToolbar names={filters} sorts={searchSorts} total={page.total} keep={{ q }} save={save} />
        )}
        {hasResults ? (
          <PendingResults>
            <h2 className="sr-only">Listings</h2>
            <ListingFeed first={page} query={sorted} stagger={0.05} newIds={newIds} />
          </PendingResults>
        ) : filtered && q ? (
          <LazyFilteredEmptyState names={filters} reset={links.search(q)} />
        ) : (
          <NoResults asked={q !== ''} compact={similar.length > 0} save={save} />
        )}
        {similar.length > 0 && (
          <section className="mt-8 md:mt-12" aria-labelledby="similar">
            <SectionHeading id="similar">Similar results</SectionHeading>
            <ListingGrid listings={similar} stagger={0} />
          </section>
        )}
      </WantedTabs>
    </PageBody>
  );
}

/**
 * The message that no listings were found. `compact` omits the illustration, so that the similar listings
 * below are in view.
 */
function NoResults({ asked, compact, save }: { asked: boolean; compact: boolean; save: ReactNode }) {
  return (
    <EmptyState
      as="h2"
      className={compact ? 'max-md:pt-2 max-md:pb-0' : undefined}
      illustration={!compact && <NothingFoundIllustration />}
      title={asked ? 'No results found' : 'What are you looking for?'}
      text={
        <>
          <p>
            {asked
              ? 'Try different keywords, or one of these:'
              : 'Search by item, category or place, or start with one of these:'}
          </p>
          <SearchChips />
        </>
      }
      action={
        <>
          <Button asChild>
            <Link to={links.browse}>Browse All Listings</Link>
          </Button>
          <Button variant="secondary" asChild>
            <Link to={links.category('game-day')}>Browse Game Day</Link>
          </Button>
          {save}
        </>
      }
    />
  );
}

/** Suggested searches (specification §2). */
const suggestedSearches = ['furniture', 'textbook', 'hoodie', 'ticket', 'rental', 'bike'];

function SearchChips() {
  const chips = suggestedSearches.map((word) => ({ to: links.search(word), label: word }));
  return <LinkChips chips={chips} className="mt-4 justify-center" />;
}
