import { Flag } from 'lucide-react';
import type { Listing } from '#contract/listings.ts';
import { ReportDialog } from '#web/forms/public.ts';
import { links } from '#web/lib/links.ts';
import { usePublicUrl } from '#web/lib/use-campus.ts';
import { useDialogOfAccount } from '#web/lib/use-dialog-of-account.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyComponent, lazyDialog } from '#web/ui/lazy-component.tsx';

const ListingReportDialog = lazyDialog(
  async () => (await import('#web/reports/listing-report-dialog.tsx')).ListingReportDialog,
);
const BlockControl = lazyComponent(async () => (await import('#web/blocks/block-control.tsx')).BlockControl, {
  failed: () => null,
});

/**
 * The buttons that report a listing and block its seller. Signed-out visitors get a report form that is
 * sent by email and already contains the listing's URL.
 */
export function ReportListingButtons({ listing }: { listing: Listing }) {
  const publicUrl = usePublicUrl();
  const { user } = useSession();
  const [opened, setOpened] = useDialogOfAccount();
  const close = () => setOpened(undefined);
  return (
    // Buttons that are loaded later are added on the right, so that the existing ones do not move.
    <div className="flex flex-wrap gap-x-2 gap-y-3">
      <Button
        variant="ghost"
        size="sm"
        icon={<Flag aria-hidden="true" className="size-4" />}
        onClick={() => setOpened({ ownId: user?.id })}
      >
        Report Listing
      </Button>
      {opened &&
        (opened.ownId ? (
          <ListingReportDialog listingId={listing.id} onClose={close} />
        ) : (
          <ReportDialog itemLink={`${publicUrl}${links.listing(listing.slug)}`} onClose={close} />
        ))}
      {user && (
        <BlockControl
          person={{ id: listing.user_id, name: listing.seller.name }}
          ownId={user.id}
          label="Block Seller"
        />
      )}
    </div>
  );
}
