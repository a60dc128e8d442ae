import { getCategoryLabel } from '#contract/categories.ts';
import { formatPrice } from '#contract/prices.ts';
import type { OwnWantedPost, WantedPost } from '#contract/wanted.ts';
import { formatMonthDay } from '#web/lib/format.ts';
import { useCampus } from '#web/lib/use-campus.ts';

/** Category, highest price and last day of a wanted post in one line. */
export function WantedFacts({ post }: { post: WantedPost | OwnWantedPost }) {
  const campus = useCampus();
  const price =
    post.max_price === null
      ? 'Any price'
      : post.max_price === 0
        ? 'Free only'
        : `Up to ${formatPrice(campus, post.max_price)}`;
  return (
    <p className="text-ink-muted text-sm">
      {`${getCategoryLabel(post.category, campus.mascot)} · ${price} · until ${formatMonthDay(post.until, campus)}`}
    </p>
  );
}
