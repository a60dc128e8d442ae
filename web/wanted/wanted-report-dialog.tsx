import { ReportFormDialog } from '#web/reports/public.ts';
import { toast } from '#web/ui/toast.ts';

export function WantedReportDialog({ postId, onClose }: { postId: string; onClose: () => void }) {
  return (
    <ReportFormDialog
      subject="wanted"
      subjectId={postId}
      title="Report Wanted Post"
      description="Tell us what is wrong with it. The person won’t see who reported it."
      onSent={() => {
        toast.success('Report Submitted', 'Thank you for helping keep our community safe.');
        onClose();
      }}
      onClose={onClose}
    />
  );
}
