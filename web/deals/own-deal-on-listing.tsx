import { QueryObserver } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { findDealAlert } from '#contract/deal-alerts.ts';
import { describeDeal, getOfferNoun } from '#contract/deal-status.ts';
import type { Deal } from '#contract/deals.ts';
import type { Listing } from '#contract/listings.ts';
import { watchBlockedIds } from '#web/blocks/public.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { ActionBar } from '#web/ui/action-bar.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyComponent } from '#web/ui/lazy-component.tsx';
import { listingDealQuery } from './deal-cache.ts';
import { DealSummary } from './deal-summary.tsx';
import { getListingDealNote, ListingActionArea } from './listing-deal-buttons.tsx';
import { useNow } from './use-now.ts';

/**
 * Displays the deal's state without its alert. It is a complete action bar: if only the content inside the bar were
 * replaced when the alert is loaded, the bar would jump on phones, because the alert is taller.
 */
function DealStateBar({ state }: { state: ReactNode }) {
  return <ActionBar>{state}</ActionBar>;
}

const ListingDealAlert = lazyComponent(
  async () => (await import('./listing-deal-alert.tsx')).ListingDealAlert,
  { placeholder: DealStateBar, failed: DealStateBar },
);

const formatQueue = (count: number): string =>
  count === 1 ? '1 other person asked.' : `${count} others asked.`;

/**
 * What concerns only the signed-in person about somebody else's listing. It is loaded separately from the
 * listing's public page.
 */
export interface OwnDealOnListing {
  deal: Deal | null;
  isSellerBlocked: boolean;
  /**
   * A sentence with the number of other people who asked for the item, or an empty string if there are none.
   */
  others: string;
}

/**
 * Calls `onChange` when the person's deal about a listing, or whether they have blocked its seller, is loaded or
 * changes. Returns an unsubscribe function.
 */
export const watchListingDeal = (
  ownId: string,
  { id, user_id: sellerId }: Pick<Listing, 'id' | 'user_id'>,
  onChange: (own: OwnDealOnListing) => void,
): (() => void) => {
  let own: OwnDealOnListing = { deal: null, isSellerBlocked: false, others: '' };
  const change = (changed: Partial<OwnDealOnListing>): void => {
    own = { ...own, ...changed };
    onChange(own);
  };
  const stopWatchingDeal = new QueryObserver(queryClient, listingDealQuery(ownId, id)).subscribe(
    ({ data }) => {
      if (data) change({ deal: data.deal, others: data.other_offers ? formatQueue(data.other_offers) : '' });
    },
  );
  const stopWatchingBlocks = watchBlockedIds(ownId, (ids) =>
    change({ isSellerBlocked: ids.includes(sellerId) }),
  );
  return () => {
    stopWatchingDeal();
    stopWatchingBlocks();
  };
};

export interface OpenDealPanelProps extends Pick<OwnDealOnListing, 'others'> {
  deal: Deal;
  listing: Listing;
  ownId: string;
  /** The button that opens the conversation. */
  message: ReactNode;
}

/**
 * Displays the state of the person's open deal about a listing, or an alert about the deal with buttons
 * to respond.
 */
export function OpenDealPanel({ listing, ownId, message, deal, others }: OpenDealPanelProps) {
  const campus = useCampus();
  const now = useNow();
  const otherName = listing.seller.name;
  const status = describeDeal(deal, 'buyer', { otherName, campus, now });
  const alert = findDealAlert(deal, 'buyer', { otherName, campus, now });
  const place = deal.position ? `Number ${deal.position} in line.` : others;
  const state = (
    <>
      <DealSummary party="buyer" status={status} details={[place, status.otherwise]} />
      <div className="mt-2.5 flex items-center gap-2 md:mt-4">
        <Button className="min-h-13! min-w-0 flex-1 px-2!" asChild>
          <Link
            to={links.conversation(deal.conversation_id)}
          >{`View your ${deal.state === 'offered' ? getOfferNoun(deal) : 'deal'}`}</Link>
        </Button>
        {message}
      </div>
    </>
  );
  return (
    <ListingActionArea note={getListingDealNote(listing)} hasOwnDeal>
      {alert ? (
        <ListingDealAlert
          alert={alert}
          deal={deal}
          ownId={ownId}
          otherName={otherName}
          listing={listing}
          now={now}
          state={state}
        />
      ) : (
        <DealStateBar state={state} />
      )}
    </ListingActionArea>
  );
}
