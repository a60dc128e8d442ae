import { Plus } from 'lucide-react';
import { useId, useState } from 'react';
import { consoleCalls } from '#contract/console-calls.ts';
import { newPersonSchema } from '#contract/console-people.ts';
import { type ApiError, request } from '#web/lib/api.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { useNavigateUnlessLeft } from '#web/lib/use-has-left.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormDialog } from '#web/ui/form-dialog.tsx';
import { Input } from '#web/ui/input.tsx';
import { toast } from '#web/ui/toast.ts';
import { consoleLinks } from '../console-sections.ts';

const draftName = 'new account';

export function CreatePersonButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="secondary"
        icon={<Plus aria-hidden="true" className="size-4" />}
        onClick={() => setIsOpen(true)}
      >
        Create account
      </Button>
      {isOpen && <CreationDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function CreationDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const navigate = useNavigateUnlessLeft();
  const [failure, setFailure] = useState<string>();
  const form = useContractForm({
    schema: newPersonSchema,
    defaultValues: { email: '', reason: '' },
    editing: 'clears',
  });
  useFormDraft(draftName, form);
  const { register, handleSubmit, formState, showFieldErrors } = form;
  const { errors, isSubmitting } = formState;
  const submit = handleSubmit(async (body) => {
    setFailure(undefined);
    try {
      const { id } = await request(consoleCalls.createPerson, { body });
      removeFormDraft(draftName);
      toast.success('Account created');
      onClose();
      navigate(consoleLinks.person(id));
    } catch (error) {
      if (!showFieldErrors((error as ApiError).fields)) setFailure((error as Error).message);
    }
  });
  return (
    <FormDialog
      formId={formId}
      title="Create account"
      description="Emails the owner a code to log in with; there is no password until they set one."
      submitLabel="Create account"
      sending={isSubmitting}
      onClose={() => !isSubmitting && onClose()}
    >
      <form id={formId} onSubmit={submit} noValidate className="flex flex-col gap-4">
        {failure && <Alert tone="error">{failure}</Alert>}
        <Field label="Email address" error={errors.email?.message} required>
          <Input type="email" autoComplete="off" {...register('email')} />
        </Field>
        <Field label="Reason" hint="Kept in the audit log." error={errors.reason?.message} required>
          <Input autoComplete="off" {...register('reason')} />
        </Field>
      </form>
    </FormDialog>
  );
}
