import { clsx } from 'clsx';
import { MapPin } from 'lucide-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Link } from 'react-router';
import type { OwnListing } from '#contract/listings.ts';
import { getListingPriceUnit } from '#contract/selling.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Price } from '#web/ui/price.tsx';
import { OwnPhoto } from '../own-photo.tsx';
import { AvailabilityButtons } from './availability-buttons.tsx';
import {
  OwnListingCardActions,
  type OwnListingHandlers,
  OwnListingRowActions,
} from './own-listing-actions.tsx';
import { OwnListingPrice } from './own-listing-price.tsx';
import { describeOwnListing, getOwnListingNote } from './own-listing-state.ts';

export interface OwnListingCardProps extends OwnListingHandlers {
  listing: OwnListing;
  /** The current date on campus (YYYY-MM-DD). */
  today: string;
  /** Whether an action has begun that has not changed the listing yet. */
  isBusy: boolean;
  /** Whether the listing is selected, or undefined while nothing is. */
  isSelected?: boolean | undefined;
}

/**
 * The `sizes` attribute of the photo. In the rows on phones, the photo is 3.5rem wide; on wider
 * screens, it is as wide as a column of a grid with two to four columns, minus gutters and gaps.
 */
const photoSizesAttribute =
  '(min-width: 80rem) 18rem, (min-width: 64rem) calc(33.3vw - 2.25rem), (min-width: 48rem) calc(50vw - 2rem), 3.5rem';

/** The person's own listing with its actions: a compact row on phones, a card on wider screens. Drafts are gray. */
export function OwnListingCard({ listing, today, isBusy, isSelected, ...handlers }: OwnListingCardProps) {
  const campus = useCampus();
  const isSelecting = isSelected !== undefined;
  const active = listing.status === 'published';
  const title = listing.title || 'Untitled draft';
  const checkbox = useRef<HTMLInputElement>(null);
  // Selecting removes the menu, to which the focus would return.
  const select = (): void => {
    flushSync(handlers.onSelect);
    checkbox.current?.focus();
  };
  const actions = { listing, title, today, ...handlers, onSelect: select };
  const hasPage =
    !listing.awaits_membership &&
    Boolean(active || listing.status === 'sold' || listing.ended_at || listing.paused_at);
  const note = getOwnListingNote(listing);
  const canChangePrice = listing.status !== 'sold' && listing.category !== 'free';
  return (
    <Card
      aria-busy={isBusy || undefined}
      className="flex items-center gap-x-2.5 p-2 max-md:flex-wrap max-md:rounded-none max-md:border-0 max-md:shadow-none md:h-full md:flex-col md:items-stretch md:p-0 aria-busy:opacity-60"
    >
      <Checkbox
        ref={checkbox}
        label={<span className="sr-only">{`Select ${title}`}</span>}
        checked={isSelected ?? false}
        onChange={handlers.onSelect}
        // On wide screens it covers the whole corner of the photo, so that a click beside the box does not miss it.
        className={clsx('md:absolute md:top-1 md:left-2 md:z-10', !isSelecting && 'max-md:hidden')}
      />
      <OwnPhoto
        photo={listing.images[0]}
        isHidden={listing.hidden_reason !== null}
        sizes={photoSizesAttribute}
        alt=""
        className={clsx('max-md:w-14 max-md:shrink-0 max-md:rounded-md', !active && 'opacity-60 grayscale')}
      />
      <div className="flex min-w-0 flex-col gap-x-1 max-md:flex-1 max-md:basis-20 md:gap-1 md:p-4 md:pb-0">
        <h2
          dir="auto"
          className={clsx(
            'line-clamp-2 break-words font-bold max-md:text-wrap max-md:text-sm max-md:leading-snug md:text-lg',
            !active && 'text-ink-muted',
          )}
        >
          {hasPage ? (
            <Link to={links.listing(listing.slug)} className="hover:underline">
              {title}
            </Link>
          ) : (
            title
          )}
        </h2>
        <div className="flex flex-wrap items-baseline gap-x-2 md:flex-col">
          {isSelecting || !canChangePrice ? (
            <p className={clsx('md:text-xl', !active && 'text-ink-muted')}>
              {listing.price === null ? (
                <span className="text-ink-muted text-sm md:text-base">No price yet</span>
              ) : (
                <Price amount={listing.price} unit={getListingPriceUnit(listing)} />
              )}
            </p>
          ) : (
            <OwnListingPrice
              price={listing.price}
              unit={getListingPriceUnit(listing)}
              title={title}
              onPrice={handlers.onPrice}
            />
          )}
          <p className="min-w-0 break-words text-ink-muted text-xs md:text-sm">
            {describeOwnListing(listing, { today, campus, now: new Date() }).join(' · ')}
          </p>
        </div>
        {listing.location && (
          <p className="flex items-center gap-1.5 text-ink-muted text-sm max-md:hidden">
            <MapPin aria-hidden="true" className="size-4 shrink-0" />
            <span dir="auto" className="truncate">
              {listing.location}
            </span>
          </p>
        )}
      </div>
      {note && (
        <p className="order-last mt-1 max-md:basis-full break-words text-sm md:order-none md:px-4">
          <span>{`${note} `}</span>
          {(listing.hidden_reason !== null || listing.requested_changes !== null) && (
            <Link to={links.decisions} className="underline underline-offset-4">
              Appeal
            </Link>
          )}
        </p>
      )}
      {!isSelecting && listing.asked_at && (
        <div className="order-last flex flex-wrap items-center gap-x-3 gap-y-1 max-md:mt-1 max-md:basis-full md:order-none md:mt-2 md:px-4">
          <p className="font-semibold text-sm">Still for sale?</p>
          <AvailabilityButtons
            title={title}
            isBusy={isBusy}
            onAnswer={handlers.onAvailability}
            className="flex-1 basis-52"
          />
        </div>
      )}
      {!isSelecting && (
        <>
          <OwnListingRowActions {...actions} />
          <OwnListingCardActions {...actions} />
        </>
      )}
    </Card>
  );
}
