import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Link, useSearchParams } from 'react-router';
import { toCampusDay } from '#contract/campus.ts';
import { getOwnListingTab, type OwnListingTab } from '#contract/listing-queries.ts';
import type { OwnListing } from '#contract/listings.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { DealQueueDialog, EndDealsDialog, type EndDealsDialogProps } from '#web/deals/public.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoListingsIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { LoadMore } from '#web/ui/load-more.tsx';
import { type Tab, Tabs } from '#web/ui/tabs.tsx';
import { toast } from '#web/ui/toast.ts';
import { isWantedTab, OwnWantedPosts } from '#web/wanted/public.ts';
import { usePostAgain } from '../use-post-again.ts';
import { BulkBar } from './bulk-bar.tsx';
import type { OwnListingHandlers } from './own-listing-actions.tsx';
import { OwnListingGrid, OwnListingGridSkeleton } from './own-listing-grid.tsx';
import { type BulkAction, maxBulkListings } from './use-bulk-actions.ts';
import { useOpenDealsCheck } from './use-open-deals-check.ts';
import { type PublishRefusal, useOwnListings } from './use-own-listings.ts';

const BulkPriceDialog = lazyDialog(async () => (await import('./bulk-price-dialog.tsx')).BulkPriceDialog);
const MarkSoldDialog = lazyDialog(async () => (await import('./mark-sold-dialog.tsx')).MarkSoldDialog);

const firstListingButton = (
  <Button asChild>
    <Link to={links.postAd}>Create Your First Listing</Link>
  </Button>
);
const postListingButton = (
  <Button variant="secondary" asChild>
    <Link to={links.postAd}>Post an Item</Link>
  </Button>
);

interface TabTexts {
  name: OwnListingTab;
  value: string;
  label: string;
  empty: { title: string; text: string };
}

/** The tabs in their order; `value` is the tab's name in the URL. */
const ownListingTabs: readonly [TabTexts, ...TabTexts[]] = [
  {
    name: 'active',
    value: 'active',
    label: 'Active',
    empty: { title: 'No active listings', text: 'What you post is shown to everyone on campus.' },
  },
  {
    name: 'on_hold',
    value: 'on-hold',
    label: 'On Hold',
    empty: { title: 'Nothing on hold', text: 'What you have promised to somebody waits here for them.' },
  },
  {
    name: 'sold',
    value: 'sold',
    label: 'Sold',
    empty: { title: 'Nothing sold yet', text: 'What you sell or give away is kept here.' },
  },
  {
    name: 'rented',
    value: 'rented',
    label: 'Rented',
    empty: { title: 'No rental listings yet', text: 'What somebody has rented from you is listed here.' },
  },
  {
    name: 'drafts',
    value: 'drafts',
    label: 'Drafts',
    empty: {
      title: 'No draft listings',
      text: 'What you save as a draft waits here, seen by nobody else.',
    },
  },
];

/** The tabs and cards of My Listings. The open tab is part of the URL, so that Back and a reload restore it. */
export function MyListingsScreen({ ownId }: { ownId: string }) {
  const today = toCampusDay(useCampus(), new Date());
  const view = useOwnListings(ownId, today);
  const [selling, setSelling] = useState<OwnListing>();
  const [listingWithOffers, setListingWithOffers] = useState<OwnListing>();
  const [ending, setEnding] = useState<Pick<EndDealsDialogProps, 'action' | 'listing' | 'onConfirm'>>();
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set());
  const [isPricing, setIsPricing] = useState(false);
  /** The ids of the listings that an action on several ones is changing. */
  const [changingIds, setChangingIds] = useState<readonly string[]>([]);
  const { postAgain, copyingId } = usePostAgain(ownId);
  const { checkedIds, hasOpenDeals } = useOpenDealsCheck(ownId);
  const [search, setSearch] = useSearchParams();
  const screen = useRef<HTMLDivElement>(null);
  const isKeyboardUsed = useRef(false);
  const { data } = view;

  if (!data) {
    return view.failed ? (
      <LoadFailed onRetry={view.reload}>Failed to load your listings</LoadFailed>
    ) : (
      <OwnListingGridSkeleton />
    );
  }

  /**
   * Moves the focus to the selected tab, because the focused card is about to disappear. The page
   * scrolls to the tab and shows its focus ring only for keyboard users.
   */
  const focusOpenTab = (): void =>
    screen.current
      ?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')
      ?.focus({ preventScroll: !isKeyboardUsed.current, focusVisible: isKeyboardUsed.current });

  const more = data.next_cursor && (
    <LoadMore
      end={data.next_cursor}
      load={view.loadMore}
      failed="More listings could not be loaded."
      className="mt-8"
    />
  );
  /** Asks for confirmation before an action that ends deals, and names these deals. */
  const endDeals = async (
    action: EndDealsDialogProps['action'],
    listing: OwnListing,
    onConfirm: () => void,
  ): Promise<void> => {
    const hasDeals = await hasOpenDeals(listing);
    if (hasDeals) setEnding({ action, listing, onConfirm });
    else if (hasDeals === false) onConfirm();
  };
  /** Marks a listing as sold at once, unless the person has to be asked something first. */
  const sell = async (listing: OwnListing): Promise<void> => {
    const isAsked = listing.category === 'rentals' || (await hasOpenDeals(listing));
    if (isAsked) setSelling(listing);
    else if (isAsked === false) {
      focusOpenTab();
      view.markSold(listing, {}, isKeyboardUsed.current);
    }
  };
  const toggle = ({ id }: OwnListing): void => {
    const next = new Set(selectedIds);
    if (!next.delete(id)) next.add(id);
    if (next.size > maxBulkListings) toast.error(`You can select up to ${maxBulkListings} listings`);
    else setSelectedIds(next);
  };
  const runBulk = async (action: BulkAction): Promise<void> => {
    const ids = selectedIds;
    setIsPricing(false);
    setSelectedIds(new Set());
    focusOpenTab();
    setChangingIds([...ids]);
    await view.bulk(ids, action);
    setChangingIds([]);
  };
  const toHandlers = (listing: OwnListing): OwnListingHandlers => ({
    onStatus: (status) => {
      const set = (): void => {
        focusOpenTab();
        view.setStatus(listing, status);
      };
      if (status === 'draft') void endDeals('draft', listing, set);
      else set();
    },
    onAvailability: (answer) => {
      if (answer !== 'yes' || listing.paused_at) focusOpenTab();
      view.availability.answer(listing.id, answer);
    },
    onOffers: () => setListingWithOffers(listing),
    onSell: () => void sell(listing),
    onSellTo: () => setSelling(listing),
    onPrice: (price) => view.changePrice(listing, price),
    onSelect: () => toggle(listing),
    onRelist: () => {
      focusOpenTab();
      view.relist(listing);
    },
    onCopy: () => postAgain(listing.id),
    onDelete: () =>
      void endDeals('delete', listing, () => {
        focusOpenTab();
        view.remove(listing, isKeyboardUsed.current);
      }),
  });

  const { on_hold: onHold, sold, rented } = data.counts;
  const hasPosted = onHold + sold + rented > 0;
  const tabs: Tab[] = ownListingTabs.map(({ name, value, label, empty }) => ({
    value,
    label,
    count: data.counts[name],
    content: (
      <OwnListingGrid
        listings={data.items.filter((item) => getOwnListingTab(item, today) === name)}
        today={today}
        busyIds={[
          ...checkedIds,
          ...changingIds,
          ...(copyingId ? [copyingId] : []),
          ...(view.availability.pendingId ? [view.availability.pendingId] : []),
        ]}
        selectedIds={selectedIds}
        empty={
          <EmptyState
            illustration={<NoListingsIllustration />}
            title={empty.title}
            text={
              name === 'active' && hasPosted
                ? 'Everything you posted is on hold, rented or sold.'
                : empty.text
            }
            action={name === 'active' && !hasPosted ? firstListingButton : postListingButton}
          />
        }
        more={more}
        toHandlers={toHandlers}
      />
    ),
  }));
  tabs.push({ value: 'wanted', label: 'Wanted', content: <OwnWantedPosts ownId={ownId} /> });
  const openTab = ownListingTabs.find(({ value }) => value === search.get('tab')) ?? ownListingTabs[0];
  const open = isWantedTab(search) ? 'wanted' : openTab.value;

  return (
    <div
      ref={screen}
      onKeyDownCapture={() => {
        isKeyboardUsed.current = true;
      }}
      onPointerDownCapture={() => {
        isKeyboardUsed.current = false;
      }}
    >
      {view.refusal && <PublishRefusalNotice refusal={view.refusal} />}
      <Tabs
        label="Your listings"
        tabs={tabs}
        value={open}
        onValueChange={(tab) => {
          setSelectedIds(new Set());
          setSearch(tab === 'active' ? {} : { tab }, { replace: true, preventScrollReset: true });
        }}
      />
      {selectedIds.size > 0 && (
        <BulkBar
          count={selectedIds.size}
          tab={openTab.name}
          onPrice={() => setIsPricing(true)}
          onAction={(kind) => void runBulk({ kind })}
          onClose={() => setSelectedIds(new Set())}
        />
      )}
      {isPricing && (
        <BulkPriceDialog
          count={selectedIds.size}
          onChoose={(change) => void runBulk({ kind: 'price', change })}
          onClose={() => setIsPricing(false)}
        />
      )}
      {listingWithOffers && (
        <DealQueueDialog
          listing={{ ...listingWithOffers, title: listingWithOffers.title ?? '' }}
          ownId={ownId}
          onClose={() => setListingWithOffers(undefined)}
        />
      )}
      {ending && <EndDealsDialog {...ending} ownId={ownId} onClose={() => setEnding(undefined)} />}
      {selling && (
        <MarkSoldDialog
          listing={selling}
          today={today}
          onClose={() => setSelling(undefined)}
          onChoose={(sale) => {
            // When the dialog closes, it restores the focus asynchronously, so move the focus afterwards.
            flushSync(() => setSelling(undefined));
            setTimeout(() => {
              focusOpenTab();
              view.markSold(selling, sale, isKeyboardUsed.current);
            });
          }}
        />
      )}
    </div>
  );
}

function PublishRefusalNotice({ refusal: { listing, reasons } }: { refusal: PublishRefusal }) {
  return (
    <Alert
      tone="error"
      className="mb-6"
      title={`“${isolateDirection(listing.title || 'Untitled draft')}” cannot be published yet`}
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
