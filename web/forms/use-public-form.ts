import type { SubmitEvent } from 'react';
import type { DefaultValues, FieldValues } from 'react-hook-form';
import type { z } from 'zod';
import { generalErrorSentences } from '#contract/trouble.ts';
import { ApiError } from '#web/lib/api-error.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { toast } from '#web/ui/toast.ts';

type Forms = typeof import('./send-forms.ts');

interface PublicForm<Values, Body> {
  schema: z.ZodType<Body, Values>;
  send: (body: Body) => Promise<unknown>;
}

export interface PublicFormOptions<Values extends FieldValues, Body> {
  /** Selects the form's schema and call from the lazily loaded module. */
  form: (forms: Forms) => PublicForm<Values, Body>;
  defaultValues?: DefaultValues<Values> | undefined;
  onSent: () => void;
}

/**
 * Returns the message to show. The server's rate limit message says when the limit ends and where to write until then.
 */
const failureMessage = (reason: unknown): string =>
  reason instanceof ApiError && reason.code === 'rate_limited'
    ? reason.message
    : generalErrorSentences.internal;

/** Creates a form of a public page. Its schema and call are loaded when a field is first focused. */
export const usePublicForm = <Values extends FieldValues, Body>({
  form: pickForm,
  defaultValues,
  onSent,
}: PublicFormOptions<Values, Body>) => {
  const load = async () => pickForm(await importLazyScript(() => import('./send-forms.ts')));
  const form = useContractForm<Values, Body>({
    schema: async (values) => (await load()).schema.safeParse(values),
    defaultValues,
    editing: 'clears',
  });

  const send = form.handleSubmit(async (body) => {
    try {
      await (await load()).send(body);
    } catch (reason) {
      if (reason instanceof ApiError && form.showFieldErrors(reason.fields)) return;
      throw reason;
    }
    onSent();
  });

  const formProps = {
    noValidate: true,
    onSubmit: (event: SubmitEvent) => void send(event).catch((reason) => toast.error(failureMessage(reason))),
    // A failure here needs no message, because sending retries the import.
    onFocus: () => void load().catch(() => {}),
  };
  return { ...form, errors: form.formState.errors, formProps };
};
