import { useId } from 'react';
import type { Campus } from '#contract/campus.ts';
import { campusEmailHint } from '#contract/form-choices.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogClose } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast.ts';
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
        <Field
          label="University email"
          hint={errors.email ? undefined : campusEmailHint(campus)}
          error={errors.email}
          required
        >
          <Input name="email" type="email" autoComplete="email" placeholder={`you@${campus.domain}`} />
        </Field>
      </form>
    </Dialog>
  );
}
