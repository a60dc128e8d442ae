import { type ReactNode, useRef, useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { OwnListing, SettableListingStatus } from '#contract/listings.ts';
import { EndDealsDialog, fetchHasOpenDeals } from '#web/deals/public.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';
import { toast } from '#web/ui/toast.ts';
import { showHeldForReviewToast, showPublicationToast } from '../publication-toast.ts';

const undoDurationMs = 10_000;

/**
 * Returns a function that makes a published listing a draft and offers Undo, and the dialog that first names the deals
 * that this ends. `onChanged` receives the listing after each change.
 */
export const useUnpublishing = (
  ownId: string,
  listing: OwnListing | undefined,
  onChanged: (listing: OwnListing) => void,
): { unpublish: () => void; dialog: ReactNode } => {
  const [isAsking, setIsAsking] = useState(false);
  const isBusy = useRef(false);

  const setStatus = async (id: string, status: SettableListingStatus): Promise<OwnListing | undefined> => {
    try {
      const saved = await request(calls.setListingStatus, { params: { id }, body: { status } });
      onChanged(saved);
      queryClient.setQueryData(['own-listing', id], saved);
      void queryClient.invalidateQueries({ queryKey: ownListingsQueryKey(ownId) });
      return saved;
    } catch (error) {
      toast.error('Failed to update listing', error instanceof ApiError ? error.message : undefined);
      return undefined;
    }
  };

  const publishAgain = async (id: string): Promise<void> => {
    const saved = await setStatus(id, 'published');
    if (saved?.status === 'in_review') showHeldForReviewToast();
    else if (saved) showPublicationToast(saved, 'Marked as active');
  };

  const unpublishNow = async (id: string): Promise<void> => {
    if (!(await setStatus(id, 'draft'))) return;
    toast.success('Marked as draft', undefined, {
      label: 'Undo',
      durationMs: undoDurationMs,
      onSelect: () => void publishAgain(id),
    });
  };

  const unpublish = async (): Promise<void> => {
    if (!listing || isBusy.current) return;
    isBusy.current = true;
    const hasDeals = await fetchHasOpenDeals(ownId, listing.id);
    // If the deals cannot be loaded, the dialog says so.
    if (hasDeals === false) await unpublishNow(listing.id);
    else setIsAsking(true);
    isBusy.current = false;
  };

  return {
    unpublish: () => void unpublish(),
    dialog: isAsking && listing && (
      <EndDealsDialog
        action="draft"
        listing={listing}
        ownId={ownId}
        onConfirm={() => void unpublishNow(listing.id)}
        onClose={() => setIsAsking(false)}
      />
    ),
  };
};
