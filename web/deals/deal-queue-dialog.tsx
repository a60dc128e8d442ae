import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { findDealAlert } from '#contract/deal-alerts.ts';
import { describeDeal } from '#contract/deal-status.ts';
import type { Deal } from '#contract/deals.ts';
import { deletedUserName } from '#contract/deleted-user.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { VerifiedBadge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { NoMessagesIllustration } from '#web/ui/illustrations/empty-states.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { DealActions } from './deal-actions.tsx';
import { DealAlertBox } from './deal-alert-box.tsx';
import { dealQueueQuery } from './deal-cache.ts';
import type { ListingOfDeal } from './transition-dialog-props.ts';
import { useNow } from './use-now.ts';

export interface DealQueueDialogProps {
  listing: { id: string; title: string } & ListingOfDeal;
  ownId: string;
  onClose: () => void;
}

/**
 * A dialog with the open offers about the person's own listing, in the order of the queue. Each offer has
 * buttons to answer it.
 */
export function DealQueueDialog({ listing, ownId, onClose }: DealQueueDialogProps) {
  const { data, isError, refetch } = useQuery(
    { ...dealQueueQuery(ownId, listing.id), refetchOnWindowFocus: true },
    queryClient,
  );
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Offers"
      description={<bdi>{listing.title}</bdi>}
      size="lg"
      flush
    >
      {data ? (
        data.items.length > 0 ? (
          <ul className="divide-y divide-line pb-[env(safe-area-inset-bottom)]">
            {data.items.map((deal) => (
              <QueueRow key={deal.id} deal={deal} listing={listing} ownId={ownId} onClose={onClose} />
            ))}
          </ul>
        ) : (
          <EmptyState
            illustration={<NoMessagesIllustration />}
            title="No offers yet"
            text="Offers appear here and in your messages."
          />
        )
      ) : isError ? (
        <div className="p-5">
          <LoadFailed onRetry={() => void refetch()}>Failed to load offers</LoadFailed>
        </div>
      ) : (
        <div className="grid place-items-center py-12">
          <Spinner label="Loading offers" />
        </div>
      )}
    </Dialog>
  );
}

function QueueRow({ deal, listing, ownId, onClose }: DealQueueDialogProps & { deal: Deal }) {
  const campus = useCampus();
  const now = useNow();
  const focusFallback = useFocusFallback<HTMLLIElement>();
  const name = deal.other?.name ?? deletedUserName;
  const { sentence, next, otherwise } = describeDeal(deal, 'seller', { otherName: name, campus, now });
  const alert = findDealAlert(deal, 'seller', { otherName: name, campus, now });
  return (
    <li {...focusFallback} className="flex flex-col gap-2 px-5 py-4 md:px-6">
      <div className="flex items-start gap-3">
        <Avatar name={name} src={deal.other?.avatar_url} />
        <div className="min-w-0 flex-1">
          <p className="flex items-center gap-1.5 font-bold">
            <bdi className="truncate">{name}</bdi>
            {deal.other?.usc_verified && <VerifiedBadge compact />}
          </p>
          <p aria-live="polite" className="break-words text-sm">
            {sentence}
          </p>
        </div>
        <Button variant="ghost" size="sm" asChild>
          <Link to={links.conversation(deal.conversation_id)} onClick={onClose}>
            Chat<span className="sr-only">{` with ${isolateDirection(name)}`}</span>
          </Link>
        </Button>
      </div>
      <p className="text-ink-muted text-sm">
        {/* An alert may say the same as what comes next. */}
        {[next === alert?.text ? '' : next, otherwise].filter(Boolean).join(' ')}
      </p>
      {alert && <DealAlertBox alert={alert} deal={deal} />}
      <DealActions deal={deal} party="seller" ownId={ownId} otherName={name} now={now} listing={listing} />
    </li>
  );
}
