import { useRef, useState } from 'react';
import { z } from 'zod';
import { consoleCalls } from '#contract/console-calls.ts';
import { type ConsoleFormDetail, formReplyTextSchema, maxFormReplyLength } from '#contract/console-forms.ts';
import { request } from '#web/lib/api.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { createUuid } from '#web/lib/uuid.ts';
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
  // A retry keeps its id, so that it cannot email the reply twice. The server may have stored the reply although its
  // response was lost, so a text that was changed since then is another reply.
  const lastAttempt = useRef<{ id: string; text: string }>(undefined);
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
    if (lastAttempt.current?.text !== text) lastAttempt.current = { id: createUuid(), text };
    try {
      onReplied(
        await request(consoleCalls.answerForm, { params: { id: formId }, body: lastAttempt.current }),
      );
      lastAttempt.current = undefined;
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
