import { useState } from 'react';
import { z } from 'zod';
import { consoleCalls } from '#contract/console-calls.ts';
import { type ConsoleFormDetail, formReplyTextSchema, maxFormReplyLength } from '#contract/console-forms.ts';
import { request } from '#web/lib/api.ts';
import { useAttemptId } from '#web/lib/use-attempt-id.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Field } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { toast } from '#web/ui/toast.ts';

interface ReplyFormProps {
  formId: string;
  email: string;
  onReplied: (form: ConsoleFormDetail) => void;
}

/**
 * The form for answering a message that somebody sent with a form of the site. The reply is emailed to the
 * sender.
 */
export function ReplyForm({ formId, email, onReplied }: ReplyFormProps) {
  const { getAttemptId, endAttempt } = useAttemptId();
  const [failure, setFailure] = useState<string>();
  const form = useContractForm({
    schema: z.object({ text: formReplyTextSchema }),
    defaultValues: { text: '' },
    editing: 'clears',
  });
  const draftName = `answer ${formId}`;
  useFormDraft(draftName, form);
  const { register, handleSubmit, formState, reset, submitButton } = form;
  const submit = handleSubmit(async ({ text }) => {
    setFailure(undefined);
    try {
      const body = { id: getAttemptId(text), text };
      onReplied(await request(consoleCalls.answerForm, { params: { id: formId }, body }));
      endAttempt();
      reset();
      removeFormDraft(draftName);
      toast.success('Answer sent', email);
    } catch (error) {
      setFailure((error as Error).message);
    }
  });
  return (
    <Card padded>
      <form onSubmit={submit} noValidate className="flex flex-col items-start gap-4">
        {failure && <Alert tone="error">{failure}</Alert>}
        <Field
          label={`Answer to ${email}`}
          hint="Sent by email. Replies to it go to the support address."
          error={formState.errors.text?.message}
          className="w-full"
          required
        >
          <Textarea rows={4} maxLength={maxFormReplyLength} {...register('text')} />
        </Field>
        <Button {...submitButton}>Send answer</Button>
      </form>
    </Card>
  );
}
