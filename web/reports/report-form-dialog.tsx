import { type ReactNode, useId } from 'react';
import { Controller } from 'react-hook-form';
import { calls } from '#contract/calls.ts';
import { type NewReport, newReportSchema, type ReportSubjectType } from '#contract/reports.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { OnlineOnlyButton } from '#web/ui/online-only-button.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { toast } from '#web/ui/toast.ts';
import { listReportReasonOptions } from './reason-labels.ts';

export interface ReportFormDialogProps {
  subject: ReportSubjectType;
  subjectId: string;
  /** The `seq` of the last message that the dialog shows, for a report of a message. */
  untilSeq?: number | undefined;
  title: string;
  description: string;
  /** Shows what the report will contain in addition to the entered text, such as a message. */
  children?: ReactNode;
  onSent: () => void;
  onClose: () => void;
}

interface ReportValues {
  reason: string;
  text: string;
}

/** The form with which a signed-in person reports a listing, a person or a message to the moderators. */
export function ReportFormDialog({
  subject,
  subjectId,
  untilSeq,
  children,
  onSent,
  onClose,
  ...headings
}: ReportFormDialogProps) {
  const formId = useId();
  const draftName = `report ${subject} ${subjectId}`;
  const form = useContractForm<ReportValues, NewReport>({
    schema: (values) => newReportSchema.safeParse({ ...values, subject, subject_id: subjectId }) as never,
    defaultValues: { reason: '', text: '' },
  });
  useFormDraft(draftName, form);
  const { register, control, formState } = form;
  const { errors, isSubmitting } = formState;

  const submit = form.handleSubmit(async (body) => {
    try {
      await request(calls.report, { body: { ...body, until_seq: untilSeq } });
    } catch (reason) {
      if (reason instanceof ApiError && form.showFieldErrors(reason.fields)) return;
      toast.error((reason as Error).message);
      return;
    }
    removeFormDraft(draftName);
    onSent();
  });

  return (
    <FormDialog
      {...headings}
      formId={formId}
      SubmitButton={OnlineOnlyButton}
      submitLabel="Submit Report"
      sending={isSubmitting}
      onClose={onClose}
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-5">
        {children}
        <Field label="What is wrong?" error={errors.reason?.message} required>
          <Controller
            control={control}
            name="reason"
            render={({ field: { ref, name, value, onChange } }) => (
              <RadioGroup
                ref={ref}
                name={name}
                value={value}
                onValueChange={onChange}
                options={listReportReasonOptions(subject)}
                className="sm:grid-cols-2"
              />
            )}
          />
        </Field>
        <Field label="Details (optional)" error={errors.text?.message}>
          <Textarea className="min-h-24" placeholder="What happened, and when?" {...register('text')} />
        </Field>
      </form>
    </FormDialog>
  );
}
