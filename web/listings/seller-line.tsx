import type { ListingCard } from '#contract/listings.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { VerifiedBadge } from '#web/ui/badge.tsx';

/** The seller, on a card. */
export function SellerLine({ seller }: { seller: ListingCard['seller'] }) {
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-ink-muted text-xs @[13rem]:gap-2 @[13rem]:text-sm">
      <Avatar name={seller.name} src={seller.avatar_url} size="xs" />
      <span className="truncate">{seller.name}</span>
      {seller.usc_verified && <VerifiedBadge compact />}
    </p>
  );
}
