import { ArrowLeft } from 'lucide-react';
import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router';
import type { ListingCard } from '#contract/listings.ts';
import { getListingPriceUnit } from '#contract/selling.ts';
import { links } from '#web/lib/links.ts';
import { getPhotoSources } from '#web/lib/photo-sources.ts';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Photo } from '#web/ui/photo.tsx';
import { Price } from '#web/ui/price.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { cardPhotoSizes } from './listing-card.tsx';

/** While the page of one of these listings loads, shows what its card knows. */
export function OpeningListing({ listings }: { listings: readonly ListingCard[] }) {
  const path = useNavigation().location?.pathname;
  // Not on Back and Forward, which have already changed the browser's URL: the focus to restore there is another one.
  const listing =
    path && path !== window.location.pathname && listings.find(({ slug }) => path === links.product(slug));
  return listing && <ListingPreview key={listing.id} listing={listing} />;
}

/**
 * Takes the place of the list, which stays where it is and is hidden (app.css). The Back button and Escape return to the
 * list, and the focus to its card.
 */
function ListingPreview({ listing }: { listing: ListingCard }) {
  const { pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const [opener] = useState(() => document.activeElement);
  // Another navigation ends the one to the listing. The list is not loaded again.
  const cancel = () =>
    void navigate(pathname + search, {
      replace: true,
      state,
      preventScrollReset: true,
      defaultShouldRevalidate: false,
    });
  const onKeyDown = useEffectEvent(({ key }: KeyboardEvent) => key === 'Escape' && cancel());
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => {
      document.removeEventListener('keydown', listener);
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    };
  }, [opener]);
  return (
    <div
      role="status"
      aria-label={`Opening ${listing.title}`}
      data-opening-listing
      // On wide screens, its photo is where that of the page will be.
      className="visible top-bar fixed inset-x-0 bottom-0 z-45 overflow-hidden bg-paper md:top-50.5 md:z-30"
    >
      <IconButton
        label="Back"
        tone="solid"
        className="absolute! top-2 left-2 z-10 md:hidden"
        onClick={cancel}
      >
        <ArrowLeft aria-hidden="true" />
      </IconButton>
      <div className="grid gap-x-7 gap-y-5 md:page-gutters md:grid-cols-[minmax(0,1fr)_19rem] lg:grid-cols-[minmax(0,1fr)_23rem] lg:gap-x-10">
        <Photo
          {...getPhotoSources(listing.cover)}
          // The size of the card's photo, which the browser has loaded.
          sizes={cardPhotoSizes}
          alt=""
          priority
          fit="contain"
          className="max-h-[70svh] w-full md:rounded-xl"
        />
        <div className="flex flex-col gap-4 max-md:px-(--page-gutter)">
          <p dir="auto" className="text-wrap break-words font-extrabold text-2xl">
            {listing.title}
          </p>
          <Price amount={listing.price} unit={getListingPriceUnit(listing)} exact className="text-3xl" />
          <Skeleton className="h-5 w-3/5" />
          <Skeleton className="h-5 w-4/5" />
        </div>
      </div>
    </div>
  );
}
