import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { toast } from '#web/ui/toast.ts';
import { usePublicForm } from './use-public-form.ts';

export interface ReportFormProps {
  /** URL of the reported listing, which is the initial value of the link field. */
  itemLink?: string | undefined;
  /** The initial value of the subject field. */
  subject?: string | undefined;
  onSent?: (() => void) | undefined;
}

/** The form for reporting a concern about a listing, a person or anything else. */
export function ReportForm({ itemLink, subject, onSent }: ReportFormProps) {
  const { register, errors, formProps, reset, submitButton } = usePublicForm({
    form: ({ reportForm }) => reportForm,
    draft: `report ${itemLink ?? ''}`,
    defaultValues: { ...(subject && { subject }), item_link: itemLink },
    onSent: () => {
      reset();
      toast.success('Report Submitted', 'Thank you for helping keep our community safe.');
      onSent?.();
    },
  });
  return (
    <form {...formProps} aria-label="Report a Concern" className="flex flex-col gap-5">
      <Field label="Subject" error={errors.subject?.message} required>
        <Input placeholder="What is it about?" {...register('subject')} />
      </Field>
      <Field label="Details" error={errors.details?.message} required>
        <Textarea
          className="min-h-32"
          placeholder="What happened, when, and who was involved?"
          {...register('details')}
        />
      </Field>
      <Field label="Item Link" hint="Optional: the address of the listing" error={errors.item_link?.message}>
        <Input inputMode="url" autoComplete="off" {...register('item_link')} />
      </Field>
      <Button {...submitButton} className="sm:self-start">
        Submit Report
      </Button>
    </form>
  );
}
