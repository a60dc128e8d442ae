import type { ReactNode } from 'react';
import type { Listing } from '#contract/listings.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import {
  FurtherDealButtons,
  getListingDealNote,
  ListingActionArea,
  ListingActions,
  ListingDealButtons,
  type ListingDealButtonsProps,
} from './listing-deal-buttons.tsx';
import { useOwnDealOnListing } from './use-own-deal-on-listing.ts';

export interface ListingDealProps extends Pick<ListingDealButtonsProps, 'onOpen'> {
  listing: Listing;
  /** The person's user id, or undefined if nobody is signed in. */
  ownId: string | undefined;
  /** The button that opens the conversation. */
  message: ReactNode;
}

/**
 * The actions on the page of somebody else's listing: the person's open deal, or the buttons that start one.
 * There are none if the person has blocked the seller.
 */
export function ListingDeal({ listing, ownId, message, onOpen }: ListingDealProps) {
  const own = useOwnDealOnListing(listing, ownId);
  if (ownId && own?.deal) {
    const { OpenDealPanel, deal, others } = own;
    return <OpenDealPanel deal={deal} others={others} listing={listing} ownId={ownId} message={message} />;
  }
  if (own?.isSellerBlocked)
    return (
      <ListingActionArea note={`You blocked ${isolateDirection(listing.seller.name)}.`}>
        {null}
      </ListingActionArea>
    );
  return (
    <ListingActions
      listing={listing}
      message={message}
      note={
        <>
          <span>{own?.others || getListingDealNote(listing)}</span>
          <FurtherDealButtons listing={listing} onOpen={onOpen} />
        </>
      }
    >
      <ListingDealButtons listing={listing} onOpen={onOpen} />
    </ListingActions>
  );
}
