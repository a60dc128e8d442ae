import { type MutationKey, useMutation } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { MarkSoldBody, OwnListing } from '#contract/listings.ts';
import { getSaleOutcome, saleUndoSeconds } from '#contract/selling.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { toast } from '#web/ui/toast.ts';
import { showHeldForReviewToast } from '../publication-toast.ts';

/** How long the toast offers Undo, in milliseconds. */
const undoDurationMs = saleUndoSeconds * 1000;

const markedMessages = {
  sold: 'Marked as sold',
  given_away: 'Marked as given away',
  rented: 'Marked as rented',
} as const;

/** Returns the message that a listing was marked as sold, given away or rented. */
export const getMarkedSoldMessage = ({ category }: Pick<OwnListing, 'category'>): string =>
  markedMessages[getSaleOutcome(category)];

/** Returns the group of the toasts about the sale of a listing, so that relisting closes the toast with Undo. */
const getToastGroup = ({ id }: OwnListing): string => `sale ${id}`;

interface Sale {
  listing: OwnListing;
  sale: MarkSoldBody;
  /**
   * The element that had the focus when the person acted, whose focus the toast's Undo button takes.
   * Undefined if the button must not take the focus.
   */
  focusFrom: Element | undefined;
}

export interface UseSaleActionsOptions {
  /**
   * The key of all mutations that change the person's own listings. With it, TanStack Query counts the
   * mutations in progress.
   */
  mutationKey: MutationKey;
  /** Replaces the listing in the cached list of own listings. */
  showListing: (listing: OwnListing) => Promise<void>;
  /** Called when a change has succeeded or failed. */
  onSettled: () => void;
}

/** Returns functions that mark one of the person's listings as sold, or list it again. */
export const useSaleActions = ({ mutationKey, showListing, onSettled }: UseSaleActionsOptions) => {
  const reportFailure = (error: unknown): void =>
    toast.error('Failed to update listing', error instanceof ApiError ? error.message : undefined);

  const relisting = useMutation(
    {
      mutationKey,
      mutationFn: (listing: OwnListing) => request(calls.relistListing, { params: { id: listing.id } }),
      onSuccess: async (saved) => {
        await showListing(saved);
        const group = getToastGroup(saved);
        if (saved.status === 'in_review') showHeldForReviewToast(group);
        else toast.success(saved.status === 'draft' ? 'Undone' : 'Relisted', undefined, undefined, group);
      },
      onError: reportFailure,
      onSettled,
    },
    queryClient,
  );

  const marking = useMutation(
    {
      mutationKey,
      mutationFn: ({ listing, sale }: Sale) =>
        request(calls.markListingSold, { params: { id: listing.id }, body: sale }),
      onSuccess: async (saved, { listing, focusFrom }) => {
        await showListing(saved);
        toast.success(
          getMarkedSoldMessage(listing),
          saved.sold_to_name ? `${isolateDirection(saved.sold_to_name)} is asked to confirm it.` : undefined,
          {
            label: 'Undo',
            onSelect: () => relisting.mutate(listing),
            durationMs: undoDurationMs,
            focusFrom,
            group: getToastGroup(saved),
          },
        );
      },
      onError: reportFailure,
      onSettled,
    },
    queryClient,
  );

  return {
    markSold: (listing: OwnListing, sale: MarkSoldBody, focusesUndo: boolean): void =>
      marking.mutate({ listing, sale, focusFrom: (focusesUndo && document.activeElement) || undefined }),
    relist: (listing: OwnListing): void => relisting.mutate(listing),
  };
};
