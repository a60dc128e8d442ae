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

/** The reviews loaded so far; `first` is the page with which the list started. */
interface LoadedReviews extends ReviewPage {
  first: ReviewPage;
  state: 'idle' | 'loading' | 'failed';
}

const startWith = (first: ReviewPage): LoadedReviews => ({ ...first, first, state: 'idle' });

/** The public reviews of a person, newest first. */
export function ReviewList({ userId, first, onReport }: ReviewListProps) {
  const [loaded, setLoaded] = useState(() => startWith(first));
  // Start over when the route has loaded a new first page.
  if (loaded.first !== first) setLoaded(startWith(first));
  const { items: reviews, next_cursor: cursor, state } = loaded;
  const [isExpanded, setIsExpanded] = useState(false);
  const focusFallback = useFocusFallback<HTMLDivElement>();
  const shown = isExpanded ? reviews : reviews.slice(0, initialCount);
  const hasMore = shown.length < reviews.length || cursor !== null;

  const showMore = async (): Promise<void> => {
    if (!isExpanded) return setIsExpanded(true);
    if (cursor === null || state === 'loading') return;
    // Ignores the change if the list has started over meanwhile.
    const change = (changed: Partial<LoadedReviews>) =>
      setLoaded((current) => (current.first === first ? { ...current, ...changed } : current));
    change({ state: 'loading' });
    try {
      const page = await loadReviews(userId, cursor);
      const known = new Set(reviews.map(({ id }) => id));
      const items = [...reviews, ...page.items.filter(({ id }) => !known.has(id))];
      change({ ...page, items, state: 'idle' });
    } catch {
      change({ state: 'failed' });
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
