import { Dialog } from '#web/ui/dialog.tsx';
import { ReportForm } from './report-form.tsx';

export interface ReportDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The address of the listing, with scheme and host. */
  itemLink: string;
}

/** Report Listing: the report form with the listing's link filled in. */
export function ReportDialog({ open, onOpenChange, itemLink }: ReportDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Report Listing"
      description="Tell us what is wrong with it. The seller does not learn who reported."
      keepOpen
    >
      <ReportForm itemLink={itemLink} onSent={() => onOpenChange(false)} />
    </Dialog>
  );
}
