import { type MutationKey, useMutation } from '@tanstack/react-query';
import { calls } from '#contract/calls.ts';
import type { AvailabilityAnswer, OwnListing } from '#contract/listings.ts';
import { saleUndoSeconds } from '#contract/selling.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { toast } from '#web/ui/toast.ts';
import { showHeldForReviewToast } from '../publication-toast.ts';
import { getMarkedSoldMessage } from './use-sale-actions.ts';

export interface AvailabilityAnswerOptions {
  mutationKey?: MutationKey;
  /** Replaces the listing in a cached list. */
  showListing?: (listing: OwnListing) => Promise<void>;
  /** Called when an answer was stored, undone or refused. */
  onSettled: () => void;
}

interface GivenAnswer {
  id: string;
  answer: AvailabilityAnswer;
}

/** Returns a function that says whether one of the person's listings is still available, and the id of that listing. */
export const useAvailabilityAnswer = ({
  mutationKey = [],
  showListing,
  onSettled,
}: AvailabilityAnswerOptions) => {
  const reportFailure = (error: unknown): void =>
    toast.error('Failed to update listing', error instanceof ApiError ? error.message : undefined);

  const undoing = useMutation(
    {
      mutationKey,
      mutationFn: ({ id, answer }: GivenAnswer) =>
        answer === 'sold'
          ? request(calls.relistListing, { params: { id } })
          : request(calls.setListingStatus, { params: { id }, body: { status: 'published' } }),
      onSuccess: async (saved) => {
        await showListing?.(saved);
        if (saved.status === 'in_review') showHeldForReviewToast();
        else toast.success(saved.status === 'draft' ? 'Undone' : 'Marked as active');
      },
      onError: reportFailure,
      onSettled,
    },
    queryClient,
  );

  const answering = useMutation(
    {
      mutationKey,
      mutationFn: ({ id, answer }: GivenAnswer) =>
        request(calls.answerAvailability, { params: { id }, body: { answer } }),
      onSuccess: async (saved, given) => {
        await showListing?.(saved);
        if (saved.status === 'in_review') return showHeldForReviewToast();
        if (given.answer === 'yes') return toast.success('Confirmed as available');
        toast.success(given.answer === 'sold' ? getMarkedSoldMessage(saved) : 'Marked as draft', undefined, {
          label: 'Undo',
          durationMs: saleUndoSeconds * 1000,
          onSelect: () => undoing.mutate(given),
        });
      },
      onError: reportFailure,
      onSettled,
    },
    queryClient,
  );

  return {
    answer: (id: string, answer: AvailabilityAnswer): void => answering.mutate({ id, answer }),
    pendingId: answering.isPending ? answering.variables.id : undefined,
  };
};
