import { JustPublishedSheet } from './just-published-sheet.tsx';
import { SaveCount } from './saved/save-count.tsx';

export interface OwnerExtrasProps {
  listing: { id: string; slug: string; user_id: string };
}

/** What only the owner sees on the page of a listing, besides the actions. */
export function OwnerExtras({ listing }: OwnerExtrasProps) {
  return (
    <>
      <SaveCount listingId={listing.id} ownId={listing.user_id} />
      <JustPublishedSheet slug={listing.slug} />
    </>
  );
}
