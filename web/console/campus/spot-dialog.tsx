import { useId, useState } from 'react';
import { z } from 'zod';
import { auditReasonSchema } from '#contract/audit.ts';
import { consoleCalls } from '#contract/console-calls.ts';
import type { ConsoleMeetingSpot } from '#contract/console-campus.ts';
import { type MeetingSpotFacts, meetingSpotFactsSchema } from '#contract/meeting-spots.ts';
import { isolateDirection } from '#contract/text-direction.ts';
import { request } from '#web/lib/api.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Input } from '#web/ui/input.tsx';
import { RestoredDraftAlert } from '#web/ui/restored-draft-alert.tsx';
import { Select } from '#web/ui/select.tsx';
import { toast } from '#web/ui/toast.ts';

interface MeetingSpotDialogProps {
  /** The meeting spot to change, or undefined to add one. */
  spot: ConsoleMeetingSpot | undefined;
  onSaved: (list: { items: ConsoleMeetingSpot[] }) => void;
  onClose: () => void;
}

const answers = ['', 'yes', 'no'] as const;
const answerOptions = [
  { value: '', label: 'Unknown' },
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
];
const toAnswer = (value: boolean | null | undefined) => (value == null ? '' : value ? 'yes' : 'no');
const toFact = (answer: string): boolean | null => (answer === '' ? null : answer === 'yes');

const toFacts = (values: Record<string, string>): MeetingSpotFacts => ({
  name: values.name ?? '',
  landmark: values.landmark || null,
  is_indoors: toFact(values.is_indoors ?? ''),
  is_lit: toFact(values.is_lit ?? ''),
  has_camera_or_phone: toFact(values.has_camera_or_phone ?? ''),
  opening_hours: values.opening_hours || null,
});

const formSchema = z.object({
  name: meetingSpotFactsSchema.shape.name,
  landmark: z.literal('').or(meetingSpotFactsSchema.shape.landmark.unwrap()),
  is_indoors: z.enum(answers),
  is_lit: z.enum(answers),
  has_camera_or_phone: z.enum(answers),
  opening_hours: z.literal('').or(meetingSpotFactsSchema.shape.opening_hours.unwrap()),
  reason: auditReasonSchema,
});

export function MeetingSpotDialog({ spot, onSaved, onClose }: MeetingSpotDialogProps) {
  const formId = useId();
  const [failure, setFailure] = useState<string>();
  const form = useContractForm({
    schema: formSchema,
    defaultValues: {
      name: spot?.name ?? '',
      landmark: spot?.landmark ?? '',
      is_indoors: toAnswer(spot?.is_indoors),
      is_lit: toAnswer(spot?.is_lit),
      has_camera_or_phone: toAnswer(spot?.has_camera_or_phone),
      opening_hours: spot?.opening_hours ?? '',
      reason: '',
    },
    editing: 'clears',
  });
  const draftName = `meeting spot ${spot?.id ?? 'new'}`;
  const { isRestored } = useFormDraft(draftName, form);
  const discardDraft = () => removeFormDraft(draftName);
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async ({ reason, ...values }) => {
    setFailure(undefined);
    const body = { ...toFacts(values), reason };
    try {
      onSaved(
        spot
          ? await request(consoleCalls.changeSpot, { params: { id: spot.id }, body })
          : await request(consoleCalls.addSpot, { body }),
      );
    } catch (error) {
      setFailure((error as Error).message);
      return;
    }
    discardDraft();
    toast.success(spot ? 'Meeting spot changed' : 'Meeting spot added');
    onClose();
  });
  return (
    <FormDialog
      formId={formId}
      title={spot ? `Change ${isolateDirection(spot.name)}` : 'Add a meeting spot'}
      submitLabel={spot ? 'Save' : 'Add'}
      dismissButton={
        <Button variant="secondary" onClick={discardDraft}>
          Cancel
        </Button>
      }
      sending={isSubmitting}
      onClose={() => !isSubmitting && onClose()}
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {isRestored && <RestoredDraftAlert />}
        {failure && <Alert tone="error">{failure}</Alert>}
        <Field label="Name" error={errors.name?.message} required>
          <Input autoComplete="off" {...register('name')} />
        </Field>
        <Field label="How to find it" error={errors.landmark?.message}>
          <Input autoComplete="off" {...register('landmark')} />
        </Field>
        <Field label="Opening hours" error={errors.opening_hours?.message}>
          <Input autoComplete="off" {...register('opening_hours')} />
        </Field>
        <Field label="Indoors">
          <Select options={answerOptions} {...register('is_indoors')} />
        </Field>
        <Field label="Lit at night">
          <Select options={answerOptions} {...register('is_lit')} />
        </Field>
        <Field label="Camera or emergency phone nearby">
          <Select options={answerOptions} {...register('has_camera_or_phone')} />
        </Field>
        <Field label="Reason" hint="Kept in the audit log." error={errors.reason?.message} required>
          <Input autoComplete="off" {...register('reason')} />
        </Field>
      </form>
    </FormDialog>
  );
}
