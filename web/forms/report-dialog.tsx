import { Dialog } from '#web/ui/dialog.tsx';
import { ReportForm } from './report-form.tsx';

const headings = {
  listing: {
    title: 'Report Listing',
    description: "Tell us what is wrong with it. The seller won't see who reported it.",
  },
  review: {
    title: 'Report Review',
    description: "Tell us what is wrong with it. Its author won't see who reported it.",
  },
  person: {
    title: 'Report Person',
    description: "Tell us what is wrong. They won't see who reported them.",
  },
  rental: {
    title: 'Report Overdue Rental',
    description: 'Tell us what you agreed on, and what has happened since.',
  },
};

export interface ReportDialogProps {
  /**
   * The absolute URL of the reported page: a listing, a review, a person, or the conversation about a
   * rental.
   */
  itemLink: string;
  /** What is reported. By default, a listing. */
  kind?: keyof typeof headings | undefined;
  /** The initial value of the subject field. */
  subject?: string | undefined;
  onClose: () => void;
}

/** The report form in a dialog, with the link to what is reported already filled in. */
export function ReportDialog({ itemLink, kind = 'listing', subject, onClose }: ReportDialogProps) {
  return (
    <Dialog open onOpenChange={onClose} {...headings[kind]} keepOpen>
      <ReportForm itemLink={itemLink} subject={subject} onSent={onClose} />
    </Dialog>
  );
}
