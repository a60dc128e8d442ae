import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { calls } from '#contract/calls.ts';
import { toCampusDay } from '#contract/campus.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { toast } from '#web/ui/toast.ts';
import { useSaleActions } from './use-sale-actions.ts';

const MarkSoldDialog = lazyDialog(async () => (await import('./mark-sold-dialog.tsx')).MarkSoldDialog);

export interface SellListingDialogProps {
  listingId: string;
  ownId: string;
  onClose: () => void;
}

/** Marks one of the person's own listings as sold, from another screen than that of their listings. */
export function SellListingDialog({ listingId, ownId, onClose }: SellListingDialogProps) {
  const queryKey = ownListingsQueryKey(ownId);
  const { data: listing, error } = useQuery(
    {
      queryKey: [...queryKey, listingId],
      queryFn: ({ signal }) => request(calls.getMyListing, { params: { id: listingId }, signal }),
    },
    queryClient,
  );
  const refresh = () => queryClient.invalidateQueries({ queryKey });
  const { markSold } = useSaleActions({
    mutationKey: ['change', ...queryKey],
    showListing: refresh,
    onSettled: () => void refresh(),
  });
  useEffect(() => {
    if (!error) return;
    toast.error('Failed to load listing', error instanceof ApiError ? error.message : undefined);
    onClose();
  }, [error, onClose]);
  const today = toCampusDay(useCampus(), new Date());
  if (!listing) return null;
  return (
    <MarkSoldDialog
      listing={listing}
      today={today}
      onClose={onClose}
      onChoose={(sale) => {
        markSold(listing, sale, false);
        onClose();
      }}
    />
  );
}
