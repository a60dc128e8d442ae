import { useState } from 'react';
import type { PublicReview, ReviewPage } from '#contract/reviews.ts';
import { Button } from '#web/ui/button.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { loadReviews } from './load-reviews.ts';
import { ReviewItem } from './review-item.tsx';

/**
 * Number of reviews shown before the person asks for more. A long list of reviews would push the listings
 * below it out of reach.
 */
const initialCount = 3;

export interface ReviewListProps {
  userId: string;
  /** The first page of reviews, which is loaded with the route. */
  first: ReviewPage;
  onReport: (review: PublicReview) => void;
}

/** The public reviews of a person, newest first. */
export function ReviewList({ userId, first, onReport }: ReviewListProps) {
  const [loaded, setLoaded] = useState({ first, ...first });
  // Start over when the route has loaded a new first page.
  if (loaded.first !== first) setLoaded({ first, ...first });
  const { items: reviews, next_cursor: cursor } = loaded;
  const [isExpanded, setIsExpanded] = useState(false);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const shown = isExpanded ? reviews : reviews.slice(0, initialCount);
  const hasMore = shown.length < reviews.length || cursor !== null;

  const showMore = async (): Promise<void> => {
    if (!isExpanded) return setIsExpanded(true);
    if (cursor === null || state === 'loading') return;
    setState('loading');
    try {
      const page = await loadReviews(userId, cursor);
      const known = new Set(reviews.map(({ id }) => id));
      const items = [...reviews, ...page.items.filter(({ id }) => !known.has(id))];
      // Drop the page if the list has started over meanwhile.
      setLoaded((current) => (current === loaded ? { ...page, first, items } : current));
      setState('idle');
    } catch {
      setState('failed');
    }
  };

  return (
    <div {...focusFallback} className="outline-none">
      <ul className="grid gap-x-8 gap-y-5 md:grid-cols-2 md:gap-y-7 lg:grid-cols-3">
        {shown.map((review) => (
          <ReviewItem key={review.id} review={review} onReport={() => onReport(review)} />
        ))}
      </ul>
      {state === 'failed' && (
        <p role="alert" className="mt-4 text-danger">
          More reviews could not be loaded.
        </p>
      )}
      {hasMore && (
        <Button
          variant="secondary"
          className="mt-5"
          loading={state === 'loading'}
          onClick={() => void showMore()}
        >
          {state === 'failed' ? 'Try again' : 'Show more reviews'}
        </Button>
      )}
      <p role="status" className="sr-only">
        {isExpanded && `${shown.length} reviews shown`}
      </p>
    </div>
  );
}
