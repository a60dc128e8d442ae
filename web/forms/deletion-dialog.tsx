import { useId } from 'react';
import type { Campus } from '#contract/campus.ts';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { toast } from '#web/ui/toast.ts';
import { CampusEmailField } from './campus-email-field.tsx';
import { usePublicForm } from './use-public-form.ts';

export interface DataDeletionDialogProps {
  campus: Campus;
  onClose: () => void;
}

/** The Request Data Deletion dialog. It is in a separate file, so that its script is loaded only when it is opened. */
export function DataDeletionDialog({ campus, onClose }: DataDeletionDialogProps) {
  const formId = useId();
  const { register, errors, formProps, submitButton } = usePublicForm({
    form: ({ createDataDeletionForm }) => createDataDeletionForm(campus),
    draft: 'data deletion',
    onSent: () => {
      onClose();
      toast.success('Request Submitted', 'We will process your data deletion request within 30 days.');
    },
  });
  return (
    <FormDialog
      formId={formId}
      title="Request Data Deletion"
      description="We write to this address first, to make sure that the request is yours."
      size="sm"
      submitLabel="Submit Request"
      sending={submitButton.loading}
      onClose={onClose}
    >
      <form {...formProps} id={formId} aria-label="Data deletion request">
        <CampusEmailField campus={campus} error={errors.email?.message} {...register('email')} />
      </form>
    </FormDialog>
  );
}
