import { useId, useState } from 'react';
import { calls } from '#contract/calls.ts';
import { generalErrorMessages } from '#contract/general-error-messages.ts';
import { accountDeletionSchema } from '#contract/profiles.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { logOut } from '#web/lib/session.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Input } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast.ts';

/** A button that opens a dialog to delete the account; the person types a word to confirm. */
export function DeleteAccountButton() {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="max-w-prose text-ink-muted text-sm">
        Permanently deletes your listings, photos, profile and log-in right away.
      </p>
      <Button variant="danger" onClick={() => setIsDialogOpen(true)}>
        Delete Account
      </Button>
      {isDialogOpen && <DeletionDialog onClose={() => setIsDialogOpen(false)} />}
    </div>
  );
}

function DeletionDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const [failure, setFailure] = useState<string>();
  const { register, handleSubmit, formState, submitButton } = useContractForm({
    schema: accountDeletionSchema,
    editing: 'clears',
  });
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (body) => {
    setFailure(undefined);
    try {
      await request(calls.deleteMe, { body });
    } catch (reason) {
      setFailure(reason instanceof ApiError ? reason.message : generalErrorMessages.internal);
      return;
    }
    toast.success('Your account was deleted');
    // After the log-out, the login guard navigates to the home page.
    await logOut();
  });

  return (
    <FormDialog
      formId={formId}
      title="Delete Account"
      description="This cannot be undone."
      size="sm"
      submitLabel="Delete Account"
      submitVariant="danger"
      sending={submitButton.loading}
      onClose={() => !isSubmitting && onClose()}
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {failure && <Alert tone="error">{failure}</Alert>}
        <p className="text-sm">
          Your listings, photos, profile and log-in are removed. Open offers and holds end. Messages you sent
          stay with the people you wrote to, under ‘Deleted user’. Download your data first if you want to
          keep any of it.
        </p>
        <Field label="Type DELETE to confirm" error={errors.confirmation?.message} required>
          <Input
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            {...register('confirmation', { setValueAs: (word: string) => word.trim() })}
          />
        </Field>
      </form>
    </FormDialog>
  );
}
