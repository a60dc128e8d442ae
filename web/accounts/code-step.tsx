import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { codeLifetimeSeconds, codeSchema, resendCooldownSeconds, sentences } from '#contract/accounts.ts';
import { Button } from '#web/ui/button.tsx';
import { CodeInput } from '#web/ui/code-input.tsx';
import { Field } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast.ts';
import { resendFailure, verifyFailure } from './failure-sentences.ts';
import type { ActionResult } from './session-actions.ts';
import { useCountdown } from './use-countdown.ts';

export interface CodeStepProps {
  email: string;
  submitLabel: string;
  backLabel: string;
  onBack: () => void;
  /** Submits the code; the caller handles success. */
  onVerify: (code: string) => Promise<ActionResult>;
  onResend: () => Promise<ActionResult>;
}

/** Six boxes for the emailed code; a new one can be requested every 30 seconds. */
export function CodeStep({ email, submitLabel, backLabel, onBack, onVerify, onResend }: CodeStepProps) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [resending, setResending] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { left, restart } = useCountdown(resendCooldownSeconds);
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);

  const verify = async (entered: string): Promise<void> => {
    if (busy) return;
    if (!codeSchema.safeParse(entered).success) {
      setError(sentences.code);
      input.current?.focus();
      return;
    }
    setBusy(true);
    setError(undefined);
    const result = await onVerify(entered);
    if (!alive.current) return;
    setBusy(false);
    if (!result.error) return;
    const { sentence, clears } = verifyFailure(result.error);
    setError(sentence);
    toast.error(sentence);
    if (clears) setCode('');
    input.current?.focus();
  };

  const resend = async (): Promise<void> => {
    setResending(true);
    const result = await onResend();
    setResending(false);
    if (result.error) {
      toast.error(resendFailure(result.error));
      return;
    }
    restart();
    setCode('');
    setError(undefined);
    toast.success('New verification code sent!');
    input.current?.focus();
  };

  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void verify(code);
  };

  return (
    <form onSubmit={onSubmit} noValidate className="flex flex-col gap-5">
      <p className="text-ink-muted">
        We sent a 6-digit code to <strong className="break-words text-ink">{email}</strong>. It expires in{' '}
        {codeLifetimeSeconds / 60} minutes.
      </p>
      <Field label="Verification code" error={error} required>
        <CodeInput
          ref={input}
          name="code"
          value={code}
          autoFocus
          onChange={(next) => {
            setCode(next);
            if (error) setError(undefined);
          }}
          onComplete={(entered) => void verify(entered)}
        />
      </Field>
      <Button type="submit" wide loading={busy}>
        {submitLabel}
      </Button>
      <div className="flex flex-wrap justify-between gap-x-4">
        <Button
          variant="link"
          size="sm"
          disabled={left > 0}
          loading={resending}
          onClick={() => void resend()}
        >
          {left > 0 ? `Resend code in ${left}s` : 'Resend code'}
        </Button>
        <Button variant="link" size="sm" onClick={onBack}>
          {backLabel}
        </Button>
      </div>
    </form>
  );
}
