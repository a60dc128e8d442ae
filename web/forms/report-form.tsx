import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { toast } from '#web/ui/toast.ts';
import { useForm } from './use-form.ts';

export interface ReportFormProps {
  /** The listing's URL, prefilled. */
  itemLink?: string | undefined;
  onSent?: (() => void) | undefined;
}

/** Report a Concern: about a listing, a person or anything else. */
export function ReportForm({ itemLink, onSent }: ReportFormProps) {
  const { errors, sending, formProps } = useForm({
    send: ({ sendReport }, data) => sendReport(data),
    onSent: (form) => {
      form.reset();
      toast.success('Report Submitted', 'Thank you for helping keep our community safe.');
      onSent?.();
    },
  });
  return (
    <form {...formProps} aria-label="Report a Concern" className="flex flex-col gap-5">
      <Field label="Subject" error={errors.subject} required>
        <Input name="subject" placeholder="What is it about?" />
      </Field>
      <Field label="Details" error={errors.details} required>
        <Textarea
          name="details"
          className="min-h-32"
          placeholder="What happened, when, and who was involved?"
        />
      </Field>
      <Field label="Item Link" hint="Optional: the address of the listing" error={errors.item_link}>
        <Input name="item_link" inputMode="url" autoComplete="off" defaultValue={itemLink} />
      </Field>
      <Button type="submit" loading={sending} className="sm:self-start">
        Submit Report
      </Button>
    </form>
  );
}
