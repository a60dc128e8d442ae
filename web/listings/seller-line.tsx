import { Link } from 'react-router';
import type { ListingCard } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { VerifiedBadge } from '#web/ui/badge.tsx';
import { Rating } from '#web/ui/rating.tsx';

export interface SellerLineProps {
  listing: Pick<ListingCard, 'user_id' | 'seller'>;
}

/**
 * The seller's avatar, name and verified badge, at the bottom of a listing card. It links to the public profile; its
 * padding makes it easier to hit with a finger and takes no space.
 */
export function SellerLine({ listing: { user_id: id, seller } }: SellerLineProps) {
  return (
    <Link
      to={links.user(id)}
      data-inner-link
      className="relative z-10 -my-2 flex w-fit max-w-full items-center gap-1.5 py-2 text-ink-muted text-xs hover:text-ink @[13rem]:gap-2 @[13rem]:text-sm"
    >
      <Avatar name={seller.name} src={seller.avatar_url} size="xs" />
      {/* Narrow cards have no room for the rating beside the name. */}
      <span className="flex min-w-0 flex-col @[16rem]:flex-row @[16rem]:items-center @[16rem]:gap-2">
        <span className="flex items-center gap-1.5">
          <span dir="auto" className="truncate">
            {seller.name}
          </span>
          {seller.usc_verified && <VerifiedBadge compact />}
        </span>
        <Rating value={seller.rating} count={seller.review_count} compact />
      </span>
    </Link>
  );
}
