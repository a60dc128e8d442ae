import { useId } from 'react';
import type { Campus } from '#contract/campus.ts';
import { type JobOpeningTitle, resumeFileExtensions } from '#contract/form-choices.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Input } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast.ts';
import { CampusEmailField } from './campus-email-field.tsx';
import { usePublicForm } from './use-public-form.ts';

export interface JobApplicationDialogProps {
  campus: Campus;
  opening: JobOpeningTitle;
  onClose: () => void;
}

/** The Apply Now dialog. It is in a separate file, so that its script is loaded only when it is opened. */
export function JobApplicationDialog({ campus, opening, onClose }: JobApplicationDialogProps) {
  const formId = useId();
  const { register, errors, lostFiles, formProps, submitButton } = usePublicForm({
    form: ({ createJobApplicationForm }) => createJobApplicationForm(campus),
    draft: `application ${opening}`,
    defaultValues: { opening },
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
      sending={submitButton.loading}
      onClose={onClose}
    >
      <form {...formProps} id={formId} aria-label="Application" className="flex flex-col gap-5">
        <Field label="Name" error={errors.name?.message} required>
          <Input autoComplete="name" {...register('name')} />
        </Field>
        <CampusEmailField campus={campus} error={errors.email?.message} {...register('email')} />
        {lostFiles.length > 0 && (
          <Alert tone="notice" title="Please choose your resume again">
            <span className="break-words">{lostFiles.join(', ')}</span>
          </Alert>
        )}
        <Field label="Resume" hint="Optional: PDF, DOC or DOCX, at most 5 MB" error={errors.resume?.message}>
          <Input
            type="file"
            accept={resumeFileExtensions.join(',')}
            className="bg-raised! file:mr-3 file:cursor-pointer file:rounded-sm file:border-0 file:bg-brand-soft file:px-3 file:py-1 file:font-semibold file:text-brand-text file:text-sm"
            {...register('resume')}
          />
        </Field>
      </form>
    </FormDialog>
  );
}
