import { type MutationKey, useMutation } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { OwnListingPage } from '#contract/listing-queries.ts';
import type { OwnListing } from '#contract/listings.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { toast } from '#web/ui/toast.ts';
import { withoutListing, withRestoredListing } from './own-listings.ts';
import {
  retryRestorationToast,
  showRestorationToast,
  unconfirmedDeletionToast,
  undoDeletionToast,
} from './restoration-toasts.ts';

interface ListingDeletion {
  listing: OwnListing;
  /**
   * The element that had the focus when the person acted, whose focus the toast's Undo button takes.
   * Undefined if the button must not take the focus.
   */
  focusFrom: Element | undefined;
}

/** Timeout for checking whether a listing exists, in milliseconds. */
const existenceCheckTimeoutMs = 5000;

/**
 * Asks the server whether the person still has this listing. Returns undefined if the server does not
 * respond.
 */
const isListingOnServer = async (id: string): Promise<boolean | undefined> => {
  try {
    await request(calls.getMyListing, {
      params: { id },
      signal: AbortSignal.timeout(existenceCheckTimeoutMs),
    });
    return true;
  } catch (error) {
    return error instanceof ApiError && error.code === 'listing_not_found' ? false : undefined;
  }
};

/** Returns whether the server refused a change. After any other error, the server may have made the change. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

export interface UseListingDeletionOptions {
  /**
   * The key of all mutations that change the person's own listings. With it, TanStack Query counts the
   * mutations in progress.
   */
  mutationKey: MutationKey;
  change: (next: (own: OwnListingPage) => OwnListingPage) => Promise<void>;
  /** Loads all lists of the person's own listings again. */
  refreshLists: () => Promise<void>;
  /** The current date on campus (YYYY-MM-DD). */
  today: string;
  onDelete: () => void;
  /** Called when a deletion has succeeded or failed. */
  onSettled: () => void;
}

/**
 * Returns a function that deletes a listing and offers Undo in a toast. The Undo button takes the focus if
 * `focusesUndo` is true and the focus has not moved.
 */
export const useListingDeletion = ({
  mutationKey,
  change,
  refreshLists,
  today,
  onDelete,
  onSettled,
}: UseListingDeletionOptions): ((listing: OwnListing, focusesUndo: boolean) => void) => {
  const restoration = useMutation(
    {
      mutationKey,
      mutationFn: (listing: OwnListing) => request(calls.restoreListing, { params: { id: listing.id } }),
      onMutate: (listing) => change((own) => withRestoredListing(own, listing, today)),
      onSuccess: () => {
        toast.success('Listing restored');
        return refreshLists();
      },
      onError: async (error, listing) => {
        if (!isRefusal(error) && (await isListingOnServer(listing.id))) {
          toast.success('Listing restored');
          return refreshLists();
        }
        await change((own) => withoutListing(own, listing.id, today));
        if (error instanceof ApiError && error.code === 'listing_not_found') toast.error(error.message);
        else showRestorationToast(retryRestorationToast, listing, { onRestore: restoration.mutate });
      },
    },
    queryClient,
  );

  const deletion = useMutation(
    {
      mutationKey,
      mutationFn: ({ listing }: ListingDeletion) =>
        request(calls.deleteListing, { params: { id: listing.id } }),
      onMutate: ({ listing }) => {
        onDelete();
        return change((own) => withoutListing(own, listing.id, today));
      },
      onSuccess: (_, { listing, focusFrom }) =>
        showRestorationToast(undoDeletionToast, listing, { onRestore: restoration.mutate, focusFrom }),
      onError: async (error, { listing, focusFrom }) => {
        if (error instanceof ApiError && error.code === 'listing_not_found') {
          // The listing was removed for good, so there is nothing left to delete or to restore.
          toast.success('Listing deleted');
          return refreshLists();
        }
        const isStillListed = isRefusal(error) || (await isListingOnServer(listing.id));
        if (isStillListed === false)
          return showRestorationToast(undoDeletionToast, listing, {
            onRestore: restoration.mutate,
            focusFrom,
          });
        await change((own) => withRestoredListing(own, listing, today));
        if (isStillListed) toast.error('Failed to delete listing');
        else
          showRestorationToast(unconfirmedDeletionToast, listing, {
            onRestore: restoration.mutate,
            focusFrom,
          });
      },
      onSettled,
    },
    queryClient,
  );

  return (listing, focusesUndo) =>
    deletion.mutate({ listing, focusFrom: (focusesUndo && document.activeElement) || undefined });
};
