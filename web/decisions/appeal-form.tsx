import { useState } from 'react';
import { z } from 'zod';
import { calls } from '#contract/calls.ts';
import { newAppealSchema } from '#contract/moderation.ts';
import { request } from '#web/lib/api.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { FormAlert } from '#web/ui/form-alert.tsx';
import { Textarea } from '#web/ui/textarea.tsx';

const formSchema = z.object({ text: newAppealSchema.shape.text });

interface AppealFormProps {
  /**
   * Identifies the decision by its id or, for a suspended account, by the token in the email about the
   * decision.
   */
  about: { action_id: string } | { token: string };
  onSent: () => void;
}

/** Returns a 32-bit hash, from which the text cannot be recovered. */
const toDigest = (text: string): number =>
  Array.from(text).reduce((hash, char) => (Math.imul(hash, 31) + char.charCodeAt(0)) | 0, 0);

/** The form for appealing against a moderator's decision, which is possible once for each decision. */
export function AppealForm({ about, onSent }: AppealFormProps) {
  const [failure, setFailure] = useState<string>();
  const form = useContractForm({ schema: formSchema, defaultValues: { text: '' }, editing: 'clears' });
  // The name must not contain the token, which would stay on the device with the draft.
  const draftName = `appeal ${'token' in about ? toDigest(about.token) : about.action_id}`;
  useFormDraft(draftName, form);
  const { register, handleSubmit, formState, submitButton } = form;
  const submit = handleSubmit(async ({ text }) => {
    setFailure(undefined);
    try {
      await request(calls.appeal, { body: { ...about, text } });
    } catch (error) {
      setFailure((error as Error).message);
      return;
    }
    removeFormDraft(draftName);
    onSent();
  });
  return (
    <form onSubmit={submit} noValidate className="mt-3 flex flex-col gap-3">
      <FormAlert>{failure}</FormAlert>
      <Field
        label="Your appeal"
        hint={`Say why the decision is wrong, in up to 1,000 characters. You can appeal once.`}
        error={formState.errors.text?.message}
        required
      >
        {/* In the list of decisions, the form appears in place of the focused button, so the form takes
            the focus. */}
        <Textarea rows={4} autoFocus={'action_id' in about} {...register('text')} />
      </Field>
      <Button className="self-start" {...submitButton}>
        Send Appeal
      </Button>
    </form>
  );
}
