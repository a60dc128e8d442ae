import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-component.tsx';
import { listOfferButtons, type OfferDialogName } from './listing-deal-buttons.tsx';
import { listingQuery } from './listing-query.ts';

const OfferDialog = lazyDialog(async () => (await import('./offer-dialog.tsx')).OfferDialog);

/** The buttons that start a deal, in the conversation about a listing. */
export function DealStartButtons({ slug, ownId }: { slug: string; ownId: string }) {
  const campus = useCampus();
  const [dialog, setDialog] = useState<OfferDialogName>();
  const { data: listing } = useQuery(listingQuery(slug), queryClient);
  const buttons = listing ? listOfferButtons(listing, campus) : [];
  if (!listing || buttons.length === 0) return null;
  return (
    <div className="flex shrink-0 gap-2 border-line border-b bg-sunken px-4 py-2 md:px-5">
      {buttons.map(({ name, label }, index) => (
        <Button
          key={name}
          size="sm"
          variant={index === 0 ? 'primary' : 'secondary'}
          onClick={() => setDialog(name)}
        >
          {label}
        </Button>
      ))}
      {dialog && (
        <OfferDialog name={dialog} listing={listing} ownId={ownId} onClose={() => setDialog(undefined)} />
      )}
    </div>
  );
}
