import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Listing } from '#contract/listings.ts';
import { getListingPriceUnit } from '#contract/selling.ts';
import { links } from '#web/lib/links.ts';
import { useSession } from '#web/lib/use-session.ts';
import { ActionBar } from '#web/ui/action-bar.tsx';
import { Button } from '#web/ui/button.tsx';
import { lazyComponent, lazyDialog } from '#web/ui/lazy-component.tsx';
import { Price } from '#web/ui/price.tsx';

const DealQueueDialog = lazyDialog(
  async () => (await import('#web/deals/deal-queue-dialog.tsx')).DealQueueDialog,
);

const OwnerExtras = lazyComponent(async () => (await import('#web/listings/owner-extras.tsx')).OwnerExtras, {
  placeholder: () => <p className="min-h-[1lh] text-sm max-md:order-1" />,
  failed: () => null,
});

/** The actions that owners see on the page of their own listing, instead of those for visitors. */
export function OwnerActions({ listing }: { listing: Listing }) {
  return (
    <>
      <OwnerExtras listing={listing} />
      <ActionBar
        aside={<Price amount={listing.price} unit={getListingPriceUnit(listing)} className="text-xl" />}
      >
        <div className="flex flex-wrap gap-2 max-md:*:flex-1">
          <EditListing id={listing.id} />
          <ListingOffers listing={listing} />
        </div>
      </ActionBar>
    </>
  );
}

function ListingOffers({ listing }: { listing: Listing }) {
  const { user } = useSession();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        size="lg"
        className="px-4! max-md:text-base"
        onClick={() => setIsOpen(true)}
      >
        Offers
      </Button>
      {isOpen && user && (
        <DealQueueDialog listing={listing} ownId={user.id} onClose={() => setIsOpen(false)} />
      )}
    </>
  );
}

function EditListing({ id }: { id: string }) {
  return (
    <Button wide size="lg" asChild className="whitespace-nowrap max-md:px-3! max-md:text-base">
      <Link to={links.editListing(id)}>
        <Pencil aria-hidden="true" className="size-5 max-md:hidden" />
        Edit Listing
      </Link>
    </Button>
  );
}
