import { clsx } from 'clsx';
import type { ReactNode } from 'react';
import type { CampusMoney } from '#contract/campus.ts';
import { getDealKind } from '#contract/deal-kind.ts';
import type { Listing } from '#contract/listings.ts';
import { formatPrice } from '#contract/prices.ts';
import { getListingPriceUnit } from '#contract/selling.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { ActionBar } from '#web/ui/action-bar.tsx';
import { Button } from '#web/ui/button.tsx';
import { Price } from '#web/ui/price.tsx';

/**
 * The dialogs that start a deal: `ask` to buy at the listing's price, `offer` a different price, `claim`
 * a free item, or `request` days of a rental.
 */
export type OfferDialogName = 'ask' | 'offer' | 'claim' | 'request';

type OfferedListing = Pick<Listing, 'category' | 'price' | 'is_price_firm' | 'unavailable'>;

/**
 * Returns the ways to start a deal about a listing with their labels, most important first. There are none while its
 * seller is away.
 */
export const listOfferButtons = (
  { category, price, is_price_firm: isFirm, unavailable }: OfferedListing,
  money: CampusMoney,
): { name: OfferDialogName; label: string }[] => {
  if (unavailable) return [];
  const kind = getDealKind(category);
  if (kind === 'gift') return [{ name: 'claim', label: 'I’d like this' }];
  if (kind === 'rental') return [{ name: 'request', label: 'Choose days' }];
  const ask = { name: 'ask', label: `Ask to buy for ${formatPrice(money, price)}` } as const;
  return isFirm ? [ask] : [ask, { name: 'offer', label: 'Make an offer' }];
};

export interface ListingDealButtonsProps {
  listing: OfferedListing;
  onOpen: (dialog: OfferDialogName) => void;
}

export function ListingDealButtons({ listing, onOpen }: ListingDealButtonsProps) {
  return listOfferButtons(listing, useCampus()).map(({ name, label }, index) => (
    <Button
      key={name}
      variant={index === 0 ? 'primary' : 'secondary'}
      className={clsx(
        'min-h-13! min-w-0 flex-1 px-2! max-md:text-sm',
        // The bar at the bottom of phones has room for two buttons, so a further one is part of the page there.
        index === 0 ? 'md:basis-full md:text-lg' : 'max-md:hidden',
      )}
      onClick={() => onOpen(name)}
    >
      {label}
    </Button>
  ));
}

/** The buttons of `ListingDealButtons` that phones show within the page. */
export function FurtherDealButtons({ listing, onOpen }: ListingDealButtonsProps) {
  return listOfferButtons(listing, useCampus())
    .slice(1)
    .map(({ name, label }) => (
      <Button
        key={name}
        variant="link"
        size="sm"
        className="-my-3 ml-2 md:hidden"
        onClick={() => onOpen(name)}
      >
        {label}
      </Button>
    ));
}

export interface ListingActionsProps {
  listing: Pick<Listing, 'category' | 'price' | 'rental_period' | 'unavailable'>;
  /** The button that opens the conversation. */
  message: ReactNode;
  /** A line of text about payment, or about other people's offers. */
  note: ReactNode;
  /** The buttons that start a deal. */
  children: ReactNode;
}

/** The actions on a listing's page for a visitor who has no open deal about it. */
export function ListingActions({ listing, message, note, children }: ListingActionsProps) {
  const isPriceInButton = getDealKind(listing.category) === 'sale' && !listing.unavailable;
  return (
    <ListingActionArea note={note}>
      <ActionBar
        aside={
          !isPriceInButton && (
            <Price
              amount={listing.price}
              unit={getListingPriceUnit(listing)}
              // The unit is below the price, because both buttons need the width.
              className="flex flex-col text-lg leading-tight"
            />
          )
        }
      >
        <div className="flex items-center gap-2 md:flex-wrap">
          {children}
          {message}
        </div>
      </ActionBar>
    </ListingActionArea>
  );
}

/**
 * The part of a listing's page that contains the actions, also those of its owner. On wide screens it reserves space for
 * the person's own deal, so that the page does not move when it is known who the person is. On phones the actions are
 * pinned to the bottom of the window.
 */
export function ListingActionSpace({ children }: { children: ReactNode }) {
  return <div className="contents md:flex md:min-h-44 md:flex-col md:gap-4">{children}</div>;
}

/** The actions of a listing's page for everybody but its owner. On phones only the note is part of the page. */
export function ListingActionArea({
  note,
  hasOwnDeal = false,
  children,
}: {
  note: ReactNode;
  /** Whether the person's own deal is displayed. On wide screens, it leaves no space for the note. */
  hasOwnDeal?: boolean;
  children: ReactNode;
}) {
  return (
    <ListingActionSpace>
      <p className={clsx('min-h-[1lh] text-ink-muted text-sm max-md:order-1', hasOwnDeal && 'md:hidden')}>
        {note}
      </p>
      {children}
    </ListingActionSpace>
  );
}

/**
 * Returns the note beside the buttons that start a deal, such as 'First come, first served.'. Everybody sees
 * it until their own deal is loaded. Without buttons it is empty.
 */
export const getListingDealNote = ({
  category,
  gift_mode: mode,
  unavailable,
}: Pick<Listing, 'category' | 'gift_mode' | 'unavailable'>): string => {
  if (unavailable) return '';
  if (getDealKind(category) !== 'gift') return 'You pay when you meet.';
  return mode === 'draw' ? 'A draw decides who can get it.' : 'First come, first served.';
};
