import { listingRestoreSeconds, type OwnListing } from '#contract/listings.ts';
import { type ToastKind, toast } from '#web/ui/toast.ts';

/** Duration of an offer to restore listings, in milliseconds. */
const offerDurationMs = listingRestoreSeconds * 1000;

export interface RestorationOffer {
  kind: ToastKind;
  /** Returns the title of a toast that offers to restore this number of listings. */
  title: (count: number) => string;
  label: string;
}

/** The toast after a deletion, with a button that restores the listing. */
export const undoDeletionOffer: RestorationOffer = {
  kind: 'success',
  title: (count) => (count === 1 ? 'Listing deleted' : `${count} listings deleted`),
  label: 'Undo',
};

/** The toast that offers to try again after a listing could not be restored. */
export const retryRestorationOffer: RestorationOffer = {
  kind: 'error',
  title: (count) => (count === 1 ? 'Failed to restore listing' : `Failed to restore ${count} listings`),
  label: 'Try Again',
};

/**
 * The toast shown if the server did not respond to a deletion. Its button restores the listing if it was
 * deleted.
 */
export const unconfirmedDeletionOffer: RestorationOffer = {
  kind: 'error',
  title: (count) => `No response. ${count === 1 ? 'The listing' : `${count} listings`} may have been deleted`,
  label: 'Undo',
};

// The listings that each open toast offers to restore. Not React state, because toasts stay open when the
// screen changes.
const listingsByOffer = new Map<RestorationOffer, { listing: OwnListing; endsAt: number }[]>();

/**
 * Shows a toast that offers to restore a listing. Offers of the same kind share one toast, because only a
 * few toasts fit on the screen and a new one could close an earlier offer too soon.
 */
export const offerRestoration = (
  offer: RestorationOffer,
  listing: OwnListing,
  { onRestore, focusFrom }: { onRestore: (listing: OwnListing) => void; focusFrom?: Element | undefined },
): void => {
  const now = Date.now();
  const offered = (listingsByOffer.get(offer) ?? []).filter(
    (it) => it.endsAt > now && it.listing.id !== listing.id && it.listing.user_id === listing.user_id,
  );
  offered.push({ listing, endsAt: now + offerDurationMs });
  listingsByOffer.set(offer, offered);
  toast[offer.kind](offer.title(offered.length), undefined, {
    label: offer.label,
    onSelect: () => {
      listingsByOffer.delete(offer);
      for (const { listing } of offered) onRestore(listing);
    },
    durationMs: offerDurationMs,
    group: `restoration: ${offer.label}, ${offer.kind}`,
    focusFrom,
  });
};
