import { useId, useState } from 'react';
import { z } from 'zod';
import { auditReasonSchema } from '#contract/audit.ts';
import { consoleCalls } from '#contract/console-calls.ts';
import {
  type CaseAction,
  type ModerationCase,
  maxSuspensionDays,
  moderationActionDelaySeconds,
} from '#contract/moderation.ts';
import { request } from '#web/lib/api.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Select } from '#web/ui/select.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { toast } from '#web/ui/toast.ts';
import { getActionTexts } from './action-texts.ts';

const durations = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: String(maxSuspensionDays), label: '1 year' },
  { value: '', label: 'Permanently' },
];

interface CaseActionDialogProps {
  item: ModerationCase;
  action: CaseAction;
  /** Fetches the case again. */
  refresh: () => Promise<void>;
  onUndo: (actionId: string) => void;
  onClose: () => void;
}

/**
 * Asks for the reason for an action and schedules the action. Until the action takes effect, a toast offers
 * Undo.
 */
export function CaseActionDialog({ item, action, refresh, onUndo, onClose }: CaseActionDialogProps) {
  const formId = useId();
  const texts = getActionTexts(item, action);
  // What the moderator saw when opening the dialog. Newer data of the case may arrive while the dialog is open.
  const [seen] = useState(() => ({
    ...(item.listing && { listing_version: item.listing.version }),
    open_appeals: item.actions.filter(({ appeal }) => appeal?.decided_at === null).length,
    report_count: item.report_count,
    signal_count: item.signal_details.reduce((sum, { count }) => sum + count, 0),
  }));
  const [template, setTemplate] = useState('');
  const [days, setDays] = useState('7');
  const [isImmediate, setImmediate] = useState(false);
  const [failure, setFailure] = useState<string>();
  const form = useContractForm({
    schema: z.object({ reason: auditReasonSchema }),
    defaultValues: { reason: '' },
    editing: 'clears',
  });
  const draftName = `${action} case ${item.id}`;
  useFormDraft(draftName, form);
  const { register, handleSubmit, getValues, setValue, formState } = form;
  /** Fills in the text of a template. What the moderator has typed is kept, with the text below it. */
  const chooseTemplate = (name: string) => {
    setTemplate(name);
    const text = texts.templates[name] ?? '';
    const reason = getValues('reason').trim();
    const isTyped = reason !== '' && !Object.values(texts.templates).includes(reason);
    if (!isTyped) setValue('reason', text);
    else if (text) setValue('reason', `${reason}\n${text}`);
  };
  const submit = handleSubmit(async ({ reason }) => {
    setFailure(undefined);
    try {
      const body = {
        action,
        reason,
        ...(template && { template }),
        ...seen,
        ...(action === 'suspend' && days && { days: Number(days) }),
        ...(action === 'suspend' && { immediately: isImmediate }),
      };
      const chosen = await request(consoleCalls.chooseAction, { params: { id: item.id }, body });
      if (chosen.failure) {
        setFailure(chosen.failure);
        return;
      }
      if (chosen.applied_at) toast.success(texts.result);
      else
        toast.success(texts.result, `Takes effect in ${moderationActionDelaySeconds} seconds.`, {
          label: 'Undo',
          onSelect: () => onUndo(chosen.id),
          durationMs: moderationActionDelaySeconds * 1000,
          group: chosen.id,
        });
    } catch (error) {
      setFailure((error as Error).message);
      // The case may have changed. It is displayed again when the dialog is closed.
      await refresh();
      return;
    }
    removeFormDraft(draftName);
    await refresh();
    onClose();
  });
  return (
    <FormDialog
      formId={formId}
      title={texts.label}
      description={texts.description}
      submitLabel={action === 'suspend' && isImmediate ? 'Suspend now' : texts.label}
      submitVariant={texts.danger ? 'danger' : 'primary'}
      sending={formState.isSubmitting}
      onClose={() => !formState.isSubmitting && onClose()}
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {failure && <Alert tone="error">{failure}</Alert>}
        <Field label="Prepared text">
          <Select
            placeholder="None"
            options={Object.keys(texts.templates).map((name) => ({ value: name, label: name }))}
            value={template}
            onChange={(event) => chooseTemplate(event.target.value)}
          />
        </Field>
        <Field label="Reason" hint={texts.reasonHint} error={formState.errors.reason?.message} required>
          <Textarea rows={3} {...register('reason')} />
        </Field>
        {action === 'suspend' && (
          <>
            <Field label="Duration">
              <Select options={durations} value={days} onChange={(event) => setDays(event.target.value)} />
            </Field>
            <Checkbox
              label="Suspend now, without time to undo"
              checked={isImmediate}
              onChange={(event) => setImmediate(event.target.checked)}
            />
          </>
        )}
      </form>
    </FormDialog>
  );
}
