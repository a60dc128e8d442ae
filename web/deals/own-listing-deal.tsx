import { useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { Link } from 'react-router';
import { findDealAlert } from '#contract/deal-alerts.ts';
import { describeDeal } from '#contract/deal-status.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyWithFallback, renderNothing } from '#web/ui/lazy-with-fallback.ts';
import { listingDealQuery } from './deal-cache.ts';
import {
  getGeneralNote,
  ListingActions,
  ListingDealButtons,
  type OwnListingDealProps,
} from './listing-deal-buttons.tsx';
import { useNow } from './use-now.ts';

const ListingDealAlert = lazyWithFallback(
  async () => (await import('./listing-deal-alert.tsx')).ListingDealAlert,
  renderNothing,
);

const formatQueue = (count: number): string =>
  count === 1 ? '1 other person asked.' : `${count} others asked.`;

/** The actions of a signed-in person: their open deal about a listing, or the buttons that start one. */
export function OwnListingDeal({ listing, ownId, message, onOpen }: OwnListingDealProps) {
  const campus = useCampus();
  const now = useNow();
  const { data } = useQuery(listingDealQuery(ownId, listing.id), queryClient);
  const deal = data?.deal;
  const others = data?.other_offers ? formatQueue(data.other_offers) : '';
  if (!deal) {
    return (
      <ListingActions listing={listing} message={message} note={others || getGeneralNote(listing)}>
        <ListingDealButtons listing={listing} onOpen={onOpen} />
      </ListingActions>
    );
  }
  const otherName = listing.seller.name;
  const { sentence } = describeDeal(deal, 'buyer', { otherName, campus, now });
  const alert = findDealAlert(deal, 'buyer', { otherName, campus, now });
  const place = deal.position ? `Number ${deal.position} in line.` : others;
  return (
    <>
      {alert && (
        <Suspense>
          <ListingDealAlert alert={alert} deal={deal} ownId={ownId} otherName={otherName} now={now} />
        </Suspense>
      )}
      <ListingActions listing={listing} message={message} note={`${sentence} ${place}`.trim()}>
        <Button className="min-h-13! min-w-0 flex-1 md:basis-full" asChild>
          <Link to={links.conversation(deal.conversation_id)}>
            View your {deal.state === 'offered' ? 'offer' : 'deal'}
          </Link>
        </Button>
      </ListingActions>
    </>
  );
}
