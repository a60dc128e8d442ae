import { listingRestoreSeconds, type OwnListing } from '#contract/listings.ts';
import { type ToastKind, toast } from '#web/ui/toast.ts';

/** Duration of a toast with which listings can be restored, in milliseconds. */
const toastDurationMs = listingRestoreSeconds * 1000;

export interface RestorationToast {
  kind: ToastKind;
  /** Returns the title of a toast that can restore this number of listings. */
  title: (count: number) => string;
  label: string;
}

/** The toast after a deletion, with a button that restores the listing. */
export const undoDeletionToast: RestorationToast = {
  kind: 'success',
  title: (count) => (count === 1 ? 'Listing deleted' : `${count} listings deleted`),
  label: 'Undo',
};

/** The toast with a button that tries again, shown after a listing could not be restored. */
export const retryRestorationToast: RestorationToast = {
  kind: 'error',
  title: (count) => (count === 1 ? 'Failed to restore listing' : `Failed to restore ${count} listings`),
  label: 'Try Again',
};

/**
 * The toast shown if the server did not respond to a deletion. Its button restores the listing if it was
 * deleted.
 */
export const unconfirmedDeletionToast: RestorationToast = {
  kind: 'error',
  title: (count) => `No response. ${count === 1 ? 'The listing' : `${count} listings`} may have been deleted`,
  label: 'Undo',
};

// The listings that each open toast can restore. Not React state, because toasts stay open when the
// screen changes.
const listingsByToast = new Map<RestorationToast, { listing: OwnListing; endsAt: number }[]>();

/**
 * Shows a toast whose button restores a listing. Toasts of the same kind are combined, because only a
 * few toasts fit on the screen and a new one could close an earlier one too soon.
 */
export const showRestorationToast = (
  variant: RestorationToast,
  listing: OwnListing,
  { onRestore, focusFrom }: { onRestore: (listing: OwnListing) => void; focusFrom?: Element | undefined },
): void => {
  const now = Date.now();
  const listings = (listingsByToast.get(variant) ?? []).filter(
    (it) => it.endsAt > now && it.listing.id !== listing.id && it.listing.user_id === listing.user_id,
  );
  listings.push({ listing, endsAt: now + toastDurationMs });
  listingsByToast.set(variant, listings);
  toast[variant.kind](variant.title(listings.length), undefined, {
    label: variant.label,
    onSelect: () => {
      listingsByToast.delete(variant);
      for (const { listing } of listings) onRestore(listing);
    },
    durationMs: toastDurationMs,
    group: `restoration: ${variant.label}, ${variant.kind}`,
    focusFrom,
  });
};
