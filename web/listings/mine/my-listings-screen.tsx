import { useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import type { ListingStatus, OwnListing } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { CardGridItem } from '#web/ui/card-grid.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoListings } from '#web/ui/illustrations/empty-states.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { CardSkeleton, Skeleton } from '#web/ui/skeleton.tsx';
import { type Tab, Tabs } from '#web/ui/tabs.tsx';
import { OwnListingCard } from './own-listing-card.tsx';
import { type PublishRefusal, useOwnListings } from './use-own-listings.ts';

/** Rows in a box on phones. The grid of wider screens is roomier than the public one: each card has three buttons. */
const cardGridClasses =
  'max-md:divide-y max-md:divide-line max-md:overflow-hidden max-md:rounded-lg max-md:border max-md:border-line max-md:bg-surface md:grid md:grid-cols-2 md:gap-4 lg:grid-cols-3 lg:gap-5 xl:grid-cols-4';

const postListingButton = (
  <Button variant="secondary" asChild>
    <Link to={links.postAd}>Post an Item</Link>
  </Button>
);

/** The tabs and cards of My Listings. The open tab is part of the URL, so that Back and a reload restore it. */
export function MyListingsScreen({ ownId }: { ownId: string }) {
  const view = useOwnListings(ownId);
  const [search, setSearch] = useSearchParams();
  const [toDelete, setToDelete] = useState<OwnListing>();
  const [asking, setAsking] = useState(false);
  const screen = useRef<HTMLDivElement>(null);
  const { data } = view;

  if (!data) {
    return view.failed ? (
      <LoadFailed onRetry={view.reload}>Failed to load your listings</LoadFailed>
    ) : (
      <GridSkeleton />
    );
  }

  const grid = (status: ListingStatus, empty: React.ReactNode) => (
    <ListingGrid
      listings={data.items.filter((item) => item.status === status)}
      empty={empty}
      more={
        data.next_cursor && (
          <LoadMore
            end={data.next_cursor}
            load={view.loadMore}
            failed="More listings could not be loaded."
            className="mt-8"
          />
        )
      }
      onStatus={(listing, next) => {
        // The card with the focus moves to another tab.
        screen.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
        view.setStatus(listing, next);
      }}
      onDelete={(listing) => {
        setToDelete(listing);
        setAsking(true);
      }}
    />
  );

  const tabs: Tab[] = [
    {
      value: 'active',
      label: 'Active',
      count: data.counts.published,
      content: grid(
        'published',
        <EmptyState
          illustration={<NoListings />}
          title="No active listings"
          text="What you post is shown to everyone on campus."
          action={
            <Button asChild>
              <Link to={links.postAd}>Create Your First Listing</Link>
            </Button>
          }
        />,
      ),
    },
    {
      value: 'sold',
      label: 'Sold',
      count: data.counts.draft,
      content: grid(
        'draft',
        <EmptyState
          illustration={<NoListings />}
          title="No draft listings"
          text="What you save as a draft waits here, seen by nobody else."
          action={postListingButton}
        />,
      ),
    },
    {
      value: 'rented',
      label: 'Rented',
      count: 0,
      content: (
        <EmptyState
          illustration={<NoListings />}
          title="No rental listings yet"
          text="What you offer for rent is among the active ones."
          action={postListingButton}
        />
      ),
    },
  ];
  const open = tabs.find(({ value }) => value === search.get('tab'))?.value ?? 'active';

  return (
    <div ref={screen}>
      {view.refusal && <PublishRefusalNotice refusal={view.refusal} />}
      <Tabs
        label="Your listings"
        tabs={tabs}
        value={open}
        onValueChange={(tab) =>
          setSearch(tab === 'active' ? {} : { tab }, { replace: true, preventScrollReset: true })
        }
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title="Delete this listing?"
        description={`“${toDelete?.title || 'Untitled draft'}” and its photos are deleted for good.`}
        confirmLabel="Delete"
        danger
        onConfirm={() => {
          // The card disappears immediately and returns if deleting fails, so the dialog does not wait.
          if (toDelete) view.remove(toDelete);
        }}
      />
    </div>
  );
}

interface ListingGridProps {
  listings: OwnListing[];
  empty: React.ReactNode;
  /** Loads the next page; nothing when there is none. */
  more: React.ReactNode;
  onStatus: (listing: OwnListing, status: ListingStatus) => void;
  onDelete: (listing: OwnListing) => void;
}

function ListingGrid({ listings, empty, more, onStatus, onDelete }: ListingGridProps) {
  if (listings.length === 0 && !more) return empty;
  return (
    <>
      <ul className={cardGridClasses}>
        {listings.map((listing, index) => (
          <CardGridItem key={listing.id} index={index}>
            <OwnListingCard
              listing={listing}
              onStatus={(status) => onStatus(listing, status)}
              onDelete={() => onDelete(listing)}
            />
          </CardGridItem>
        ))}
      </ul>
      {more}
    </>
  );
}

function PublishRefusalNotice({ refusal: { listing, reasons } }: { refusal: PublishRefusal }) {
  return (
    <Alert
      tone="error"
      className="mb-6"
      title={`“${listing.title || 'Untitled draft'}” cannot be published yet`}
      action={
        <Button variant="secondary" size="sm" asChild>
          <Link to={links.editListing(listing.id)}>Edit</Link>
        </Button>
      }
    >
      <ul className="list-disc pl-5">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </Alert>
  );
}

function GridSkeleton() {
  return (
    <div aria-busy="true">
      <span role="status" className="sr-only">
        Loading your listings
      </span>
      <ul className={cardGridClasses}>
        {[0, 1, 2, 3].map((index) => (
          <CardGridItem key={index} index={index}>
            <Skeleton shape="edge" className="h-19 md:hidden" />
            <div className="max-md:hidden">
              <CardSkeleton />
            </div>
          </CardGridItem>
        ))}
      </ul>
    </div>
  );
}
