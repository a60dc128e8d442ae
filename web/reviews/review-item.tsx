import { Flag } from 'lucide-react';
import { Link } from 'react-router';
import { deletedUserName } from '#contract/deleted-user.ts';
import type { PublicReview } from '#contract/reviews.ts';
import { formatCampusMonth } from '#web/lib/format.ts';
import { links } from '#web/lib/links.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { IconButton } from '#web/ui/icon-button.tsx';
import { Stars } from '#web/ui/rating.tsx';

/** Returns the id of the element that shows a review, which is also the fragment of its URL. */
export const toReviewAnchor = (reviewId: string): string => `review-${reviewId}`;

export interface ReviewItemProps {
  review: PublicReview;
  onReport: () => void;
}

/** A public review. Its author's name links to the author's profile. */
export function ReviewItem({ review, onReport }: ReviewItemProps) {
  const campus = useCampus();
  const { author } = review;
  const name = author?.name ?? deletedUserName;
  return (
    <li id={toReviewAnchor(review.id)} className="min-w-0">
      <div className="flex items-center gap-3">
        <Avatar name={name} src={author?.avatar_url} size="sm" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">
            {author ? (
              <Link to={links.user(author.id)} className="underline-offset-3 hover:underline">
                <bdi>{name}</bdi>
              </Link>
            ) : (
              <span className="text-ink-muted">{name}</span>
            )}
          </p>
          <p className="flex flex-wrap items-center gap-x-2 text-ink-muted text-sm">
            <Stars value={review.rating} />
            <time dateTime={review.published_at}>{formatCampusMonth(review.published_at, campus)}</time>
          </p>
        </div>
        <IconButton label={`Report the review by ${name}`} onClick={onReport}>
          <Flag aria-hidden="true" className="text-ink-muted" />
        </IconButton>
      </div>
      {review.text && (
        <p dir="auto" className="mt-2 whitespace-pre-line break-words">
          {review.text}
        </p>
      )}
      {review.tags.length > 0 && (
        <ul aria-label="Praised for" className="mt-2.5 flex flex-wrap gap-1.5">
          {review.tags.map((tag) => (
            <li key={tag}>
              <Badge>{tag}</Badge>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
