import { useQuery } from '@tanstack/react-query';
import { Heart } from 'lucide-react';
import { calls } from '#contract/calls.ts';
import { request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { ownListingsQueryKey } from '#web/lib/query-keys.ts';
import { formatSaveCount } from './format-save-count.ts';

/** Tells the owner of a listing how many people have saved it. */
export function SaveCount({ listingId, ownId }: { listingId: string; ownId: string }) {
  const { data } = useQuery(
    {
      queryKey: [...ownListingsQueryKey(ownId), listingId],
      queryFn: ({ signal }) => request(calls.getMyListing, { params: { id: listingId }, signal }),
    },
    queryClient,
  );
  return (
    <p className="flex min-h-[1lh] items-center gap-1.5 text-ink-muted text-sm max-md:order-1">
      {data && (
        <>
          <Heart aria-hidden="true" className="size-4 shrink-0" />
          <span>{formatSaveCount(data.save_count)}</span>
        </>
      )}
    </p>
  );
}
