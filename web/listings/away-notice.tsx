import { formatSellerAway } from '#contract/away.ts';
import type { Listing } from '#contract/listings.ts';
import { Alert } from '#web/ui/alert.tsx';

/** Says until when the seller of a listing is away. Renders nothing for other listings. */
export function AwayNotice({ listing }: { listing: Listing }) {
  const until = listing.unavailable === 'away' && listing.away_until;
  return until ? <Alert tone="notice" title={formatSellerAway(until)} /> : null;
}
