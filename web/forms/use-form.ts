import { type FormEvent, useState } from 'react';
import { trouble } from '#contract/trouble.ts';
import { lazyScript } from '#web/lib/lazy-script.ts';
import { toast } from '#web/ui/toast.ts';
import type { Refused } from './send-forms.ts';

type Sending = typeof import('./send-forms.ts');

interface FormOptions {
  /** Sends the values; returns the refused fields, or undefined on success. */
  send: (sending: Sending, data: FormData) => Promise<Refused | undefined>;
  onSent: (form: HTMLFormElement) => void;
}

const loadSending = (): Promise<Sending> => lazyScript(() => import('./send-forms.ts'));

const focusFirst = (form: HTMLFormElement, refused: Refused): void => {
  const fields = [...form.elements] as HTMLInputElement[];
  fields.find(({ name }) => name in refused)?.focus();
};

/** A limit is worth its own words: they say when it ends, and where to write meanwhile. */
const failureSentence = (reason: unknown): string =>
  reason instanceof Error && 'code' in reason && reason.code === 'rate_limited'
    ? reason.message
    : trouble.internal;

/**
 * A form with uncontrolled fields, so that nothing is lost when sending fails. The schemas are loaded when the first field
 * is focused, so they are not part of the page's first load.
 */
export const useForm = ({ send, onSent }: FormOptions) => {
  const [errors, setErrors] = useState<Refused>({});
  const [sending, setSending] = useState(false);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    if (sending) return;
    setSending(true);
    try {
      const refused = await send(await loadSending(), new FormData(form));
      setErrors(refused ?? {});
      if (refused) focusFirst(form, refused);
      else onSent(form);
    } catch (reason) {
      toast.error(failureSentence(reason));
    } finally {
      setSending(false);
    }
  };

  const clearError = (event: FormEvent<HTMLFormElement>) => {
    const { name } = event.target as HTMLInputElement;
    setErrors(({ [name]: _cleared, ...others }) => others);
  };

  // A failure here needs no message, because sending retries the import.
  const onFocus = () => void loadSending().catch(() => {});

  return { errors, sending, formProps: { onSubmit, onInput: clearError, onFocus, noValidate: true } };
};
