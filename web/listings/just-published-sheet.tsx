import { useState } from 'react';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { findJustPublishedListing, setJustPublishedListing } from './just-published.ts';

const ListedSheet = lazyDialog(async () => (await import('./listed-sheet.tsx')).ListedSheet);

/** Offers the seller of a listing what comes next, if it was published a moment ago. */
export function JustPublishedSheet({ slug }: { slug: string }) {
  const [published, setPublished] = useState(() => findJustPublishedListing(slug));
  if (!published) return null;
  return (
    <ListedSheet
      published={published}
      onClose={() => {
        setJustPublishedListing();
        setPublished(undefined);
      }}
    />
  );
}
