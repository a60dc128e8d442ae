import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'react-router';
import type { Conversation, Message } from '#contract/conversations.ts';
import { findRecordedTransition } from '#contract/deal-event-lines.ts';
import { isOpenDealState } from '#contract/deal-states.ts';
import type { Deal } from '#contract/deals.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { links } from '#web/lib/links.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useReachability } from '#web/lib/reachability.ts';
import { Button } from '#web/ui/button.tsx';
import { LoadFailed } from '#web/ui/load-failed.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { conversationDealsQueryKey, dealRefetchIntervalMs, fetchConversationDeals } from './deal-cache.ts';
import { DealCard } from './deal-card.tsx';
import { DealStartButtons } from './deal-start.tsx';
import { listEarlierDeals } from './earlier-deals.ts';
import { useNow } from './use-now.ts';

export interface DealPanelProps {
  conversation: Conversation;
  ownId: string;
  otherName: string;
  /**
   * The newest event line of the conversation. When a new one arrives, the deal has changed and is
   * refetched.
   */
  newestEvent: Message | undefined;
  /** Renders the button that shows the photos of the condition of a rented item. */
  renderPhotosButton?: (deal: Deal) => ReactNode;
}

/**
 * The newest deal of a conversation: its state, whose turn it is, the deadline, and the possible transitions. Below it are
 * earlier deals in which the person can still do something. Without an open deal, a buyer who may write to the seller
 * can start one, or find similar listings if somebody else got the item.
 */
export function DealPanel({
  conversation,
  ownId,
  otherName,
  newestEvent,
  renderPhotosButton,
}: DealPanelProps) {
  const reachability = useReachability();
  const now = useNow();
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const {
    data: deals,
    error,
    refetch,
  } = useQuery(
    {
      queryKey: conversationDealsQueryKey(ownId, conversation.id),
      queryFn: ({ signal }) => fetchConversationDeals(conversation.id, signal),
      refetchOnWindowFocus: true,
      refetchInterval: ({ state }) =>
        state.data?.some((it) => isOpenDealState(it.state)) ? dealRefetchIntervalMs : false,
    },
    queryClient,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new event line means a changed deal
  useEffect(() => {
    void refetch();
  }, [newestEvent?.seq, refetch]);

  if (deals === undefined) {
    // A notice below the messages says that there is no connection. The deal is refetched when there is one again.
    const isDisconnected = reachability !== 'live' && error instanceof ApiError && error.status === 0;
    if (!error || isDisconnected) return null;
    return (
      <div className="shrink-0 border-line border-b px-4 py-2.5 md:px-5">
        <LoadFailed onRetry={() => void refetch()}>Failed to load the deal</LoadFailed>
      </div>
    );
  }
  const [deal] = deals;
  const isWithoutDeal = conversation.buyer_id === ownId && !(deal && isOpenDealState(deal.state));
  const isSellerAway = conversation.listing.unavailable === 'away';
  const canStart = isWithoutDeal && conversation.may_write !== false && !isSellerAway;
  const { slug, available, title, price } = conversation.listing;
  return (
    <>
      {deal && (
        // The deals scroll together, so that there is always room for the messages and their input.
        <div
          {...focusFallback}
          data-deals
          className="max-h-[65%] shrink-0 divide-y divide-line overflow-y-auto border-line border-b bg-sunken"
        >
          {[deal, ...listEarlierDeals(deals, now)].map((it) => (
            <DealCard
              key={it.id}
              deal={it}
              isEarlier={it !== deal}
              lastStep={findRecordedTransition(newestEvent?.data ?? null)}
              ownId={ownId}
              otherName={otherName}
              listingTitle={title}
              listing={available && slug ? { slug, price } : null}
              photosButton={renderPhotosButton?.(it)}
            />
          ))}
        </div>
      )}
      {canStart && available && slug && <DealStartButtons slug={slug} ownId={ownId} />}
      {isWithoutDeal && deal?.state === 'closed' && !available && slug && (
        <div className="shrink-0 border-line border-b bg-sunken px-4 py-2 md:px-5">
          <Button size="sm" variant="secondary" asChild>
            <Link to={links.listing(slug)}>See similar items</Link>
          </Button>
        </div>
      )}
    </>
  );
}
