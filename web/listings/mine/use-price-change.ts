import { type MutationKey, useMutation } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { OwnListing } from '#contract/listings.ts';
import { formatPrice } from '#contract/prices.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { toast } from '#web/ui/toast.ts';
import { showHeldForReviewToast } from '../publication-toast.ts';

/** How long the toast offers Undo, in milliseconds. */
const undoDurationMs = 10_000;

export interface UsePriceChangeOptions {
  /** The key of all mutations that change the person's own listings. */
  mutationKey: MutationKey;
  /** Replaces the listing in the cached list of own listings. */
  showListing: (listing: OwnListing) => Promise<void>;
  /** Called when a change has succeeded or failed. */
  onSettled: () => void;
}

/**
 * Returns a function that changes the price of an own listing and offers Undo in a toast. If the price could not be
 * changed, it returns the server's messages about the fields; it reports other failures itself.
 */
export const usePriceChange = ({ mutationKey, showListing, onSettled }: UsePriceChangeOptions) => {
  const campus = useCampus();
  const { mutateAsync } = useMutation(
    {
      mutationKey,
      mutationFn: ({ listing: { id }, price }: { listing: OwnListing; price: number }) =>
        request(calls.changeListingPrice, { params: { id }, body: { price } }),
      onSuccess: showListing,
      onSettled,
    },
    queryClient,
  );
  const changePrice = async (
    listing: OwnListing,
    price: number,
  ): Promise<Record<string, string> | undefined> => {
    try {
      const saved = await mutateAsync({ listing, price });
      const group = `price ${listing.id}`;
      const { price: earlier } = listing;
      if (saved.status === 'in_review' && listing.status !== 'in_review') showHeldForReviewToast(group);
      else
        toast.success(
          `Price changed to ${formatPrice(campus, price)}`,
          undefined,
          earlier === null
            ? undefined
            : {
                label: 'Undo',
                durationMs: undoDurationMs,
                onSelect: () => void changePrice(saved, earlier),
              },
          group,
        );
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : undefined;
      if (fields?.price !== undefined) return fields;
      toast.error('Failed to update listing', error instanceof ApiError ? error.message : undefined);
      return {};
    }
    return undefined;
  };
  return changePrice;
};
