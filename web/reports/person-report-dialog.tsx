import { type ReactNode, useState } from 'react';
import { isolateDirection } from '#contract/text-direction.ts';
import { type BlockablePerson, BlockDialog, useIsBlocked } from '#web/blocks/public.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ReportFormDialog } from './report-form-dialog.tsx';

export interface PersonReportDialogProps {
  person: BlockablePerson;
  ownId: string;
  /**
   * The message to report; if omitted, the person is reported. `untilSeq` is the `seq` of the last message in `quote`.
   */
  message?: { id: string; quote: ReactNode; untilSeq: number } | undefined;
  onClose: () => void;
}

/**
 * The dialog for reporting a person, or one of their messages, to the moderators. Afterwards it offers to
 * block the person.
 */
export function PersonReportDialog({ person, ownId, message, onClose }: PersonReportDialogProps) {
  const [step, setStep] = useState<'report' | 'sent' | 'block'>('report');
  if (step === 'block') return <BlockDialog person={person} ownId={ownId} onClose={onClose} />;
  if (step === 'sent')
    return <ReportSent person={person} ownId={ownId} onBlock={() => setStep('block')} onClose={onClose} />;
  return (
    <ReportFormDialog
      subject={message ? 'message' : 'user'}
      subjectId={message?.id ?? person.id}
      untilSeq={message?.untilSeq}
      title={message ? 'Report Message' : `Report ${isolateDirection(person.name)}`}
      description={`Tell us what is wrong. ${isolateDirection(person.name)} won’t see who reported it.`}
      onSent={() => setStep('sent')}
      onClose={onClose}
    >
      {message?.quote}
    </ReportFormDialog>
  );
}

interface ReportSentProps {
  person: BlockablePerson;
  ownId: string;
  onBlock: () => void;
  onClose: () => void;
}

function ReportSent({ person, ownId, onBlock, onClose }: ReportSentProps) {
  const isBlocked = useIsBlocked(ownId, person.id);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="sm"
      title="Report Submitted"
      description="Thank you for helping keep our community safe. We will tell you what came of it."
      actions={
        <>
          {!isBlocked && (
            <Button variant="secondary" onClick={onBlock}>{`Block ${isolateDirection(person.name)}`}</Button>
          )}
          <Button onClick={onClose}>Done</Button>
        </>
      }
    >
      {!isBlocked && (
        <p className="text-sm">{`If you don’t want to hear from ${isolateDirection(person.name)} any more, you can block them.`}</p>
      )}
    </Dialog>
  );
}
