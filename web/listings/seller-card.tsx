import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import type { Campus } from '#contract/campus.ts';
import type { Listing } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { VerifiedBadge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { Rating } from '#web/ui/rating.tsx';

export interface SellerCardProps {
  listing: Pick<Listing, 'user_id' | 'seller' | 'seller_role'>;
  campus: Pick<Campus, 'shortName'>;
}

/**
 * Returns the text below the seller's name, such as 'Verified USC Student'. Only the email address is
 * verified. The seller chose the role.
 */
const formatSellerRole = (
  { seller, seller_role: role }: SellerCardProps['listing'],
  shortName: string,
): string => {
  if (!seller.usc_verified) return `${shortName} Community Member`;
  if (role === 'Student') return `Verified ${shortName} Student`;
  return role ? `Verified ${shortName} Email · ${role}` : `Verified ${shortName} Email`;
};

/**
 * The seller, on the page of a listing. On phones, this is a compact row. The whole card links to the public
 * profile.
 */
export function SellerCard({ listing, campus }: SellerCardProps) {
  const { seller } = listing;
  return (
    <Card interactive className="p-3 md:p-6">
      <h2 className="font-bold text-lg max-md:sr-only">Seller</h2>
      <div className="flex items-center gap-3 md:mt-3 md:gap-4">
        <Avatar
          name={seller.name}
          src={seller.avatar_url}
          size="lg"
          className="max-md:size-11 max-md:text-sm"
        />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-bold">
            <Link
              to={links.user(listing.user_id)}
              prefetch="intent"
              className="min-w-0 break-words outline-none after:absolute after:inset-0"
            >
              <bdi>{seller.name}</bdi>
            </Link>
            {seller.usc_verified && <VerifiedBadge />}
            <Rating value={seller.rating} count={seller.review_count} className="font-normal text-sm" />
          </p>
          <p className="text-ink-muted text-sm">{formatSellerRole(listing, campus.shortName)}</p>
        </div>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-muted" />
      </div>
    </Card>
  );
}
