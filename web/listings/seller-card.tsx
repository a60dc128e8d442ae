import type { Campus } from '#contract/campus.ts';
import type { Listing } from '#contract/listings.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { VerifiedBadge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';

export interface SellerCardProps {
  listing: Pick<Listing, 'seller' | 'seller_role'>;
  campus: Pick<Campus, 'shortName'>;
}

/** Only the address is verified; the role is what the person chose. */
const formatSellerRole = (
  { seller, seller_role: role }: SellerCardProps['listing'],
  shortName: string,
): string => {
  if (!seller.usc_verified) return `${shortName} Community Member`;
  if (role === 'Student') return `Verified ${shortName} Student`;
  return role ? `Verified ${shortName} Email · ${role}` : `Verified ${shortName} Email`;
};

/** The seller, on the page of a listing. */
export function SellerCard({ listing, campus }: SellerCardProps) {
  const { seller } = listing;
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
          <p className="text-ink-muted text-sm">{formatSellerRole(listing, campus.shortName)}</p>
        </div>
      </div>
    </Card>
  );
}
