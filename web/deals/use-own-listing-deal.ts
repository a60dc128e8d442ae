import { useEffect, useState } from 'react';
import type { OwnListingDeal } from './own-listing-deal.tsx';

type LoadedDeal = OwnListingDeal & Pick<typeof import('./own-listing-deal.tsx'), 'OpenDeal'>;

/**
 * Returns a signed-in person's open deal about a listing with the component that describes it; undefined until
 * they are loaded, and for good if that fails. The page then keeps the buttons that everybody sees: the same elements
 * as before, so that a tap at that moment is not lost.
 */
export const useOwnListingDeal = (listingId: string, ownId: string | undefined): LoadedDeal | undefined => {
  const [loaded, setLoaded] = useState<{ ownId: string; own: LoadedDeal }>();
  useEffect(() => {
    if (!ownId) return;
    let isMounted = true;
    let stop = () => {};
    import('./own-listing-deal.tsx').then(
      ({ watchListingDeal, OpenDeal }) => {
        if (!isMounted) return;
        stop = watchListingDeal(ownId, listingId, (own) => setLoaded({ ownId, own: { ...own, OpenDeal } }));
      },
      () => {
        // Without the script, the page shows no own deal.
      },
    );
    return () => {
      isMounted = false;
      stop();
    };
  }, [listingId, ownId]);
  return loaded && loaded.ownId === ownId ? loaded.own : undefined;
};
