import { ArrowLeft } from 'lucide-react';
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

/**
 * While the page of one of these listings loads, covers the screen with what its card knows. The list stays
 * where it is below, for the way back.
 */
export function OpeningListing({ listings }: { listings: readonly ListingCard[] }) {
  const path = useNavigation().location?.pathname;
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const listing = path && listings.find(({ slug }) => path === links.product(slug));
  if (!listing) return null;
  return (
    <div
      role="status"
      aria-label={`Opening ${listing.title}`}
      className="fixed inset-0 z-45 overflow-hidden bg-paper md:top-29 md:z-30 md:pt-12"
    >
      <IconButton
        label="Back"
        tone="solid"
        className="absolute! top-2 left-2 z-10 md:hidden"
        // Another navigation ends the one to the listing.
        onClick={() => void navigate(pathname + search, { replace: true, preventScrollReset: true })}
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
