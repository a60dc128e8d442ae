import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { calls } from '#contract/calls.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { request } from '#web/lib/api.ts';
import { formatCampusDate } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { Stars } from '#web/ui/rating.tsx';
import { dealReviewsQueryKey } from './review-cache.ts';
import { StarButtons } from './star-buttons.tsx';

const ReviewDialog = lazyDialog(async () => (await import('./review-dialog.tsx')).ReviewDialog);

export interface DealReviewProps {
  dealId: string;
  ownId: string;
  otherName: string;
}

/**
 * The reviews of a completed deal: stars that begin the person's own review, a button to edit it and, once they are
 * public, the reviews of both parties.
 */
export function DealReview({ dealId, ownId, otherName }: DealReviewProps) {
  const campus = useCampus();
  /** The stars with which the open dialog begins. */
  const [rating, setRating] = useState<number>();
  const { data } = useQuery(
    {
      queryKey: dealReviewsQueryKey(ownId, dealId),
      queryFn: ({ signal }) => request(calls.getDealReviews, { params: { id: dealId }, signal }),
    },
    queryClient,
  );
  if (!data) return null;
  const { own, other, can_review: canReview, closes_at: closesAt } = data;
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      {own && (
        <p>
          <span>Your review: </span>
          <Stars value={own.rating} />
          {!own.is_public && closesAt && (
            <span className="text-ink-muted">{` ${isolateDirection(otherName)} sees it when both have written a review, at the latest on ${formatCampusDate(closesAt, campus)}.`}</span>
          )}
        </p>
      )}
      {other && (
        <p>
          <span>{`${isolateDirection(otherName)} about you: `}</span>
          <Stars value={other.rating} />
          <span> </span>
          <bdi>{other.text}</bdi>
        </p>
      )}
      {canReview && !own && (
        <StarButtons label={`How was it with ${isolateDirection(otherName)}?`} onChoose={setRating} />
      )}
      {canReview && own && (
        <Button size="sm" variant="secondary" className="self-start" onClick={() => setRating(own.rating)}>
          Change your review
        </Button>
      )}
      {rating !== undefined && (
        <ReviewDialog
          dealId={dealId}
          ownId={ownId}
          otherName={otherName}
          review={own}
          rating={rating}
          onClose={() => setRating(undefined)}
        />
      )}
    </div>
  );
}
