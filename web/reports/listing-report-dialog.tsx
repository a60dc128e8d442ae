import { toast } from '#web/ui/toast.ts';
import { ReportFormDialog } from './report-form-dialog.tsx';

export function ListingReportDialog({ listingId, onClose }: { listingId: string; onClose: () => void }) {
  return (
    <ReportFormDialog
      subject="listing"
      subjectId={listingId}
      title="Report Listing"
      description="Tell us what is wrong with it. The seller won't see who reported it."
      onSent={() => {
        toast.success('Report Submitted', 'Thank you for helping keep our community safe.');
        onClose();
      }}
      onClose={onClose}
    />
  );
}
