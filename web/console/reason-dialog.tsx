import { type ReactNode, useId, useState } from 'react';
import { z } from 'zod';
import { auditReasonSchema } from '#contract/audit.ts';
import { ReauthenticationForm } from '#web/accounts/public.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Input } from '#web/ui/input.tsx';

export interface ReasonDialogProps {
  title: string;
  /** What the action does, and who is notified. */
  description: string;
  confirmLabel: string;
  /** Whether the action is destructive, for example because it cannot be undone. Its button is then red. */
  danger?: boolean | undefined;
  /** The name under which the typed reason is saved until the action has been performed. */
  draftName: string;
  /** A text that must be typed before the action can be taken, such as an email address. */
  typed?: { label: string; text: string } | undefined;
  /** A sentence that says who can see the reason. The default says that only the audit log contains it. */
  reasonHint?: string | undefined;
  /** Performs the action. If it rejects, the dialog stays open and shows the error. */
  onConfirm: (reason: string) => Promise<void>;
  onClose: () => void;
  /** Further inputs for the action, shown above the reason. */
  children?: ReactNode;
}

/**
 * A dialog that asks for a reason, which is stored in the audit log, and then performs an action. It is
 * open as long as it is mounted.
 */
export function ReasonDialog({
  title,
  description,
  confirmLabel,
  danger = false,
  draftName,
  typed,
  reasonHint = 'Kept in the audit log only. Nobody receives it.',
  onConfirm,
  onClose,
  children,
}: ReasonDialogProps) {
  const formId = useId();
  const [failure, setFailure] = useState<string>();
  const [isProofNeeded, setIsProofNeeded] = useState(false);
  const { user } = useSession();
  const form = useContractForm({
    schema: z.object({
      reason: auditReasonSchema,
      typed: z.string().refine((text) => !typed || text.trim().toLowerCase() === typed.text.toLowerCase(), {
        error: `Type ${typed?.text} to confirm`,
      }),
    }),
    defaultValues: { reason: '', typed: '' },
    editing: 'clears',
  });
  useFormDraft(draftName, form, ['typed']);
  const { register, handleSubmit, formState } = form;
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async ({ reason }) => {
    setFailure(undefined);
    try {
      await onConfirm(reason);
    } catch (error) {
      if (error instanceof ApiError && error.code === 'reauthentication_needed') setIsProofNeeded(true);
      else setFailure((error as Error).message);
      return;
    }
    removeFormDraft(draftName);
    onClose();
  });

  if (isProofNeeded)
    return (
      <Dialog open onOpenChange={onClose} keepOpen title={title}>
        <ReauthenticationForm
          email={user?.email ?? ''}
          onProved={() => {
            setIsProofNeeded(false);
            void submit();
          }}
        />
      </Dialog>
    );
  return (
    <FormDialog
      formId={formId}
      title={title}
      description={description}
      submitLabel={confirmLabel}
      submitVariant={danger ? 'danger' : 'primary'}
      sending={isSubmitting}
      onClose={() => !isSubmitting && onClose()}
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {failure && <Alert tone="error">{failure}</Alert>}
        {children}
        <Field label="Reason" hint={reasonHint} error={errors.reason?.message} required>
          <Input autoComplete="off" {...register('reason')} />
        </Field>
        {typed && (
          <Field label={typed.label} error={errors.typed?.message} required>
            <Input autoComplete="off" autoCapitalize="none" spellCheck={false} {...register('typed')} />
          </Field>
        )}
      </form>
    </FormDialog>
  );
}
