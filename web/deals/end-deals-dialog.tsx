import { useQuery } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { toCampusMinute } from '#contract/rental-times.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { dealQueueQuery } from './deal-cache.ts';
import { describeEffectOnDeals, describeOpenDeals, findObstacleToAction } from './open-deals.ts';
import { useNow } from './use-now.ts';

const texts = {
  draft: {
    title: 'Mark as draft?',
    refusedTitle: 'You can’t make this a draft yet',
    confirm: 'Mark as Draft',
  },
  delete: { title: 'Delete this listing?', refusedTitle: 'You can’t delete this yet', confirm: 'Delete' },
} as const;

export interface EndDealsDialogProps {
  action: keyof typeof texts;
  listing: { id: string; title: string | null };
  ownId: string;
  onConfirm: () => void;
  onClose: () => void;
}

/**
 * Asks an owner to confirm that a listing is deleted or becomes a draft again. Says who has or wants the
 * item, and what happens to these people's deals.
 */
export function EndDealsDialog({ action, listing, ownId, onConfirm, onClose }: EndDealsDialogProps) {
  const isOnline = useOnline();
  const campus = useCampus();
  const now = useNow();
  const { data, isFetching, isError, refetch } = useQuery(
    { ...dealQueueQuery(ownId, listing.id), staleTime: 0 },
    queryClient,
  );
  // Ignore cached deals until the query has been refetched, because they may be out of date.
  const deals = isFetching || isError ? undefined : data?.items;
  const obstacle = deals && findObstacleToAction(deals, action, { campus, now });
  const { title, refusedTitle, confirm } = texts[action];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={obstacle ? refusedTitle : title}
      description={<bdi>{listing.title}</bdi>}
      size="sm"
      actions={
        <>
          <DialogClose>
            <Button variant="secondary">{obstacle ? 'Close' : 'Keep it'}</Button>
          </DialogClose>
          {!obstacle && (
            <Button
              variant="danger"
              disabled={!isOnline || !deals}
              onClick={() => {
                // When the dialog closes, it restores the focus asynchronously. `onConfirm` may move the
                // focus, so call it afterwards.
                flushSync(onClose);
                setTimeout(onConfirm);
              }}
            >
              {isOnline ? confirm : 'You’re offline'}
            </Button>
          )}
        </>
      }
    >
      {deals ? (
        <div className="space-y-2 break-words">
          <p className="font-bold">
            {describeOpenDeals(deals, toCampusMinute(campus, now), campus) ||
              'Nobody has an open deal about it any more.'}
          </p>
          <p>{obstacle ?? describeEffectOnDeals(deals, action)}</p>
        </div>
      ) : isError && !isFetching ? (
        <LoadFailed onRetry={() => void refetch()}>Failed to load who asked for it</LoadFailed>
      ) : (
        <div role="status" className="space-y-2">
          <span className="sr-only">Loading who asked for it</span>
          <Skeleton className="h-6 w-full" />
          <Skeleton className="h-6 w-2/3" />
        </div>
      )}
    </Dialog>
  );
}
