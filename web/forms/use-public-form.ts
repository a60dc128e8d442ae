import type { SubmitEvent } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import { generalErrorMessages } from '#contract/general-error-messages.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { useAttemptId } from '#web/lib/use-attempt-id.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { toast } from '#web/ui/toast.ts';

type SendFormsModule = typeof import('./send-forms.ts');

interface PublicForm<Values, Body> {
  schema: z.ZodType<Body, Values>;
  /** Sends the form. The server stores it only once under a client id. */
  send: (body: Body, clientId: string) => Promise<unknown>;
}

export interface PublicFormOptions<Values extends FieldValues, Body> {
  /** Selects the form's schema and call from the lazily loaded module. */
  form: (forms: SendFormsModule) => PublicForm<Values, Body>;
  /** The name under which the entered text is stored as a draft. */
  draft: string;
  defaultValues?: DefaultValues<NoInfer<Values>> | undefined;
  onSent: () => void;
}

/**
 * Returns the message for a failed submission. The server's rate limit message is used as is,
 * because it says when the limit ends and where to write until then.
 */
const getFailureMessage = (reason: unknown): string =>
  reason instanceof ApiError && reason.code === 'rate_limited'
    ? reason.message
    : generalErrorMessages.internal;

/** Returns a text that is equal for equal contents of a form, including a chosen file. */
const toComparableText = (body: unknown): string =>
  JSON.stringify(body, (_, value) =>
    value instanceof File ? [value.name, value.size, value.lastModified] : value,
  );

/**
 * Creates a form for a public page. The form's schema and API call are loaded when a field is first
 * focused.
 */
export const usePublicForm = <Values extends FieldValues, Body>({
  form: pickForm,
  draft,
  defaultValues,
  onSent,
}: PublicFormOptions<Values, Body>) => {
  const load = async () => pickForm(await importLazyScript(() => import('./send-forms.ts')));
  const form = useContractForm<Values, Body>({
    schema: async (values) => (await load()).schema.safeParse(values),
    defaultValues,
    editing: 'clears',
  });
  const { lostFiles } = useFormDraft(draft, form);
  const { getAttemptId, endAttempt } = useAttemptId();

  const send = form.handleSubmit(async (body) => {
    try {
      await (await load()).send(body, getAttemptId(toComparableText(body)));
    } catch (reason) {
      if (reason instanceof ApiError && form.showFieldErrors(reason.fields)) return;
      throw reason;
    }
    endAttempt();
    removeFormDraft(draft);
    onSent();
  });

  const formProps = {
    noValidate: true,
    onSubmit: (event: SubmitEvent) =>
      void send(event).catch((reason) => toast.error(getFailureMessage(reason))),
    // A failed preload needs no message, because submitting retries the import.
    onFocus: () => void load().catch(() => {}),
  };
  return { ...form, errors: form.formState.errors, lostFiles, formProps };
};
