import { Dialog } from '#web/ui/dialog.tsx';
import { ReportForm } from './report-form.tsx';

export interface ReportDialogProps {
  /** The listing's absolute URL. */
  itemLink: string;
  onClose: () => void;
}

/** The Report Listing dialog: the report form with the listing's link already filled in. */
export function ReportDialog({ itemLink, onClose }: ReportDialogProps) {
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Report Listing"
      description="Tell us what is wrong with it. The seller won't see who reported it."
      keepOpen
    >
      <ReportForm itemLink={itemLink} onSent={onClose} />
    </Dialog>
  );
}
