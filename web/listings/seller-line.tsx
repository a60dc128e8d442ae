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
 * The seller's avatar, name and verified badge, on the photo of a listing card. It links to the public profile; its
 * padding makes it easier to hit with a finger.
 */
export function SellerLine({ listing: { user_id: id, seller } }: SellerLineProps) {
  return (
    <Link
      to={links.user(id)}
      data-inner-link
      className="absolute bottom-0 left-0 z-10 max-w-full p-2 text-ink text-xs"
    >
      <span className="flex min-w-0 items-center gap-1.5 rounded-full bg-raised/90 p-0.5 pr-2 hover:bg-raised">
        <Avatar name={seller.name} src={seller.avatar_url} size="xs" />
        <span dir="auto" className="truncate">
          {seller.name}
        </span>
        {seller.usc_verified && <VerifiedBadge compact />}
        {/* Narrow cards have no room for the rating beside the name. */}
        <span className="@max-[16rem]:hidden">
          <Rating value={seller.rating} count={seller.review_count} compact />
        </span>
      </span>
    </Link>
  );
}
