import { useEffect, useState } from 'react';
import type { OwnListingDeal } from './own-listing-deal.tsx';

type Script = typeof import('./own-listing-deal.tsx');

/**
 * Returns a signed-in person's open deal about a listing with the component that describes it; undefined until
 * they are loaded, and for good if that fails. The page then keeps the buttons that everybody sees: the same elements
 * as before, so that a tap at that moment is not lost.
 */
export const useOwnListingDeal = (
  listingId: string,
  ownId: string | undefined,
): (OwnListingDeal & Pick<Script, 'OpenDeal'>) | undefined => {
  const [own, setOwn] = useState<OwnListingDeal & Pick<Script, 'OpenDeal'>>();
  useEffect(() => {
    if (!ownId) return;
    let isMounted = true;
    let stop = () => {};
    import('./own-listing-deal.tsx').then(
      ({ watchListingDeal, OpenDeal }) => {
        if (isMounted) stop = watchListingDeal(ownId, listingId, (found) => setOwn({ ...found, OpenDeal }));
      },
      () => {},
    );
    return () => {
      isMounted = false;
      stop();
      setOwn(undefined);
    };
  }, [listingId, ownId]);
  return own;
};
