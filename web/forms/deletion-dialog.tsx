import { useId } from 'react';
import type { Campus } from '#contract/campus.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import { CampusEmailField } from './campus-email-field.tsx';
import { useForm } from './use-form.ts';

export interface DeletionDialogProps {
  campus: Campus;
  onClose: () => void;
}

/** Request Data Deletion. In a file of its own: only those who ask fetch the dialog. */
export function DeletionDialog({ campus, onClose }: DeletionDialogProps) {
  const formId = useId();
  const { errors, sending, formProps } = useForm({
    send: ({ requestDataDeletion }, data) => requestDataDeletion(campus, data),
    onSent: () => {
      onClose();
      toast.success('Request Submitted', 'We will process your data deletion request within 30 days.');
    },
  });
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Request Data Deletion"
      description="We write to this address first, to make sure that the request is yours."
      size="sm"
      keepOpen
      actions={
        <>
          <DialogClose>
            <Button variant="ghost">Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} loading={sending}>
            Submit Request
          </Button>
        </>
      }
    >
      <form {...formProps} id={formId} aria-label="Data deletion request">
        <CampusEmailField campus={campus} error={errors.email} />
      </form>
    </Dialog>
  );
}
