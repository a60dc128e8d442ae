import { useEffect, useState } from 'react';
import type { Listing } from '#contract/listings.ts';
import type { OwnDealOnListing } from './own-deal-on-listing.tsx';

type LoadedDeal = OwnDealOnListing & Pick<typeof import('./own-deal-on-listing.tsx'), 'OpenDealPanel'>;

/**
 * Returns a signed-in person's open deal about a listing, the component that displays it, and whether the
 * person has blocked the seller. Returns undefined until these are loaded, or if loading fails. Until then,
 * the page shows the buttons that everybody sees. These buttons are not replaced during loading, so that no tap is lost.
 */
export const useOwnDealOnListing = (
  { id, user_id }: Pick<Listing, 'id' | 'user_id'>,
  ownId: string | undefined,
): LoadedDeal | undefined => {
  const [loaded, setLoaded] = useState<{ ownId: string; own: LoadedDeal }>();
  useEffect(() => {
    if (!ownId) return;
    let isMounted = true;
    let stop = () => {};
    import('./own-deal-on-listing.tsx').then(
      ({ watchListingDeal, OpenDealPanel }) => {
        if (!isMounted) return;
        stop = watchListingDeal(ownId, { id, user_id }, (own) =>
          setLoaded({ ownId, own: { ...own, OpenDealPanel } }),
        );
      },
      () => {
        // The module of the component could not be loaded, so the page continues to show the buttons for
        // visitors without a deal.
      },
    );
    return () => {
      isMounted = false;
      stop();
    };
  }, [id, user_id, ownId]);
  return loaded && loaded.ownId === ownId ? loaded.own : undefined;
};
