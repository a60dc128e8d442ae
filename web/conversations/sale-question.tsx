import { useMutation } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { Conversation } from '#contract/conversations.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { toast } from '#web/ui/toast.ts';
import { inboxQueryKey } from './conversation-cache.ts';
import { getOtherParty } from './other-party.ts';

export interface SaleQuestionProps {
  conversation: Conversation;
  ownId: string;
}

const questions = {
  sold: 'Did you buy this?',
  given_away: 'Did you get this?',
  rented: 'Did you rent this?',
} as const;

/** Asks the person whether they got an item, if its seller has named them as the buyer. */
export function SaleQuestion({ conversation, ownId }: SaleQuestionProps) {
  const { listing, listing_id: listingId } = conversation;
  const answer = useMutation(
    {
      mutationFn: ({ id, confirmed }: { id: string; confirmed: boolean }) =>
        request(calls.answerSale, { params: { id }, body: { confirmed } }),
      onSuccess: (_, { confirmed }) => toast.success(confirmed ? 'Confirmed' : 'Thanks for telling us'),
      onError: (error) =>
        toast.error('Failed to send your answer', error instanceof ApiError ? error.message : undefined),
      // Refetches even after a failure, because the question may have been answered in another tab
      // or withdrawn.
      onSettled: () =>
        Promise.all(
          [inboxQueryKey(ownId), ['conversation', ownId]].map((queryKey) =>
            queryClient.invalidateQueries({ queryKey }),
          ),
        ),
    },
    queryClient,
  );
  if (!listing.is_sale_asked || !listingId) return null;
  const { name } = getOtherParty(conversation);
  const pendingAnswer = answer.isPending ? answer.variables.confirmed : undefined;
  return (
    <section
      aria-label="Question of the seller"
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-b bg-gold-soft px-4 py-3 text-sm md:px-5"
    >
      <div className="min-w-0 flex-1 basis-48">
        {/* A listing that was rented out for a limited time is not finished, so it has no outcome. */}
        <p className="font-bold">{questions[listing.outcome ?? 'rented']}</p>
        <p>
          <bdi>{name}</bdi> says that it went to you.
        </p>
      </div>
      <div className="flex gap-2">
        <OnlineOnlyButton
          variant="secondary"
          size="sm"
          loading={pendingAnswer === false}
          disabled={pendingAnswer === true}
          onClick={() => answer.mutate({ id: listingId, confirmed: false })}
        >
          No
        </OnlineOnlyButton>
        <OnlineOnlyButton
          size="sm"
          loading={pendingAnswer === true}
          disabled={pendingAnswer === false}
          onClick={() => answer.mutate({ id: listingId, confirmed: true })}
        >
          Yes
        </OnlineOnlyButton>
      </div>
    </section>
  );
}
