import { Flag } from 'lucide-react';
import { useState } from 'react';
import type { Listing } from '#contract/listings.ts';
import { links } from '#web/lib/links.ts';
import { usePublicUrl } from '#web/lib/use-campus.ts';
import { Button } from '#web/ui/button.tsx';
import { lazyDialog } from '#web/ui/lazy-dialog.tsx';

const ReportDialog = lazyDialog(async () => (await import('#web/forms/report-dialog.tsx')).ReportDialog);

/** The buttons that report a listing, and block its seller. Visitors get the form that is mailed, with the listing's link filled in. */
export function ReportListing({ listing }: { listing: Listing }) {
  const publicUrl = usePublicUrl();
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        wide
        icon={<Flag aria-hidden="true" className="size-4" />}
        onClick={() => setIsDialogOpen(true)}
      >
        Report Listing
      </Button>
      {isDialogOpen && (
        <ReportDialog
          itemLink={`${publicUrl}${links.listing(listing.slug)}`}
          onClose={() => setIsDialogOpen(false)}
        />
      )}
    </>
  );
}
