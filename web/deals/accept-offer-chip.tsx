import { useQuery } from '@tanstack/react-query';
import { getTransitionLabel } from '#contract/deal-status.ts';
import type { Deal } from '#contract/deals.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useOnline } from '#web/lib/use-online.ts';
import { Chip } from '#web/ui/chip.tsx';
import { useDealTransition } from './deal-actions.tsx';
import { conversationDealsQueryKey, fetchConversationDeals } from './deal-cache.ts';

interface AcceptOfferChipProps {
  conversationId: string;
  ownId: string;
}

/** Accepts the buyer's offer of a conversation with one tap. Renders nothing unless that is possible. */
export function AcceptOfferChip({ conversationId, ownId }: AcceptOfferChipProps) {
  const { data } = useQuery(
    {
      queryKey: conversationDealsQueryKey(ownId, conversationId),
      queryFn: ({ signal }) => fetchConversationDeals(conversationId, signal),
    },
    queryClient,
  );
  const deal = data?.[0];
  return deal?.transitions.includes('accept') ? <AcceptChip deal={deal} ownId={ownId} /> : null;
}

function AcceptChip({ deal, ownId }: { deal: Deal; ownId: string }) {
  const { pending, tryTransition } = useDealTransition(ownId, deal);
  const isOnline = useOnline();
  return (
    <Chip
      loading={pending !== undefined}
      disabled={!isOnline}
      onClick={() => void tryTransition({ transition: 'accept' })}
    >
      {getTransitionLabel(deal, 'accept', 'seller')}
    </Chip>
  );
}
