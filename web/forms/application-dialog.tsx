import { useId } from 'react';
import type { Campus } from '#contract/campus.ts';
import { type Opening, resumeEndings } from '#contract/form-choices.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Input } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast.ts';
import { CampusEmailField } from './campus-email-field.tsx';
import { useForm } from './use-form.ts';

export interface ApplicationDialogProps {
  campus: Campus;
  opening: Opening;
  onClose: () => void;
}

/** The Apply Now dialog. A separate file, so that it is loaded only when it is opened. */
export function ApplicationDialog({ campus, opening, onClose }: ApplicationDialogProps) {
  const formId = useId();
  const { errors, sending, formProps } = useForm({
    send: ({ sendApplication }, data) => sendApplication(campus, data),
    onSent: () => {
      onClose();
      toast.success(
        'Application Submitted',
        "Thank you for your interest! We'll review your application and get back to you soon.",
      );
    },
  });
  return (
    <FormDialog
      formId={formId}
      title={`Apply for ${opening}`}
      description="A few lines are enough; we take it from there."
      submitLabel="Submit Application"
      sending={sending}
      onClose={onClose}
    >
      <form {...formProps} id={formId} aria-label="Application" className="flex flex-col gap-5">
        <input type="hidden" name="opening" value={opening} />
        <Field label="Name" error={errors.name} required>
          <Input name="name" autoComplete="name" />
        </Field>
        <CampusEmailField campus={campus} error={errors.email} />
        <Field label="Resume" hint="Optional: PDF, DOC or DOCX, at most 5 MB" error={errors.resume}>
          <Input
            name="resume"
            type="file"
            accept={resumeEndings.join(',')}
            className="bg-raised! file:mr-3 file:cursor-pointer file:rounded-sm file:border-0 file:bg-brand-soft file:px-3 file:py-1 file:font-semibold file:text-brand-text file:text-sm"
          />
        </Field>
      </form>
    </FormDialog>
  );
}
