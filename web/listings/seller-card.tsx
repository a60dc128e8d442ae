import type { Campus } from '#contract/campus.ts';
import type { ListingCard } from '#contract/listings.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { VerifiedBadge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';

/** Who sells, on the page of a listing. */
export function SellerCard({
  seller,
  campus,
}: {
  seller: ListingCard['seller'];
  campus: Pick<Campus, 'shortName'>;
}) {
  return (
    <Card padded>
      <h2 className="font-bold text-lg">Seller</h2>
      <div className="mt-3 flex items-center gap-4">
        <Avatar name={seller.name} src={seller.avatar_url} size="lg" />
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-bold">
            <span className="min-w-0 break-words">{seller.name}</span>
            {seller.usc_verified && <VerifiedBadge />}
          </p>
          <p className="text-ink-muted text-sm">
            {seller.usc_verified
              ? `Verified ${campus.shortName} Student`
              : `${campus.shortName} Community Member`}
          </p>
        </div>
      </div>
    </Card>
  );
}
