import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { oneTimeCodeLifetimeSeconds, resendCooldownSeconds, verifyOtpSchema } from '#contract/accounts.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/toast.ts';
import { CodeField } from './code-field.tsx';
import { codeAlreadySentMessage, describeCodeFailure, describeResendFailure } from './failure-messages.ts';
import type { ActionResult } from './session-actions.ts';

/**
 * Counts down from `initialSeconds` to 0; `restart` counts down again. Computes the remaining time from the clock,
 * because timers pause while the tab is suspended.
 */
const useCountdown = (
  initialSeconds: number,
): { secondsLeft: number; restart: (seconds: number) => void } => {
  const [secondsLeft, setSecondsLeft] = useState(initialSeconds);
  const [endsAt, setEndsAt] = useState(() => Date.now() + secondsLeft * 1000);
  const isCounting = secondsLeft > 0;

  useEffect(() => {
    const updateSecondsLeft = () => setSecondsLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)));
    updateSecondsLeft();
    if (!isCounting) return;
    const timer = setInterval(updateSecondsLeft, 250);
    return () => clearInterval(timer);
  }, [endsAt, isCounting]);

  const restart = useCallback((seconds: number) => {
    setEndsAt(Date.now() + seconds * 1000);
    setSecondsLeft(seconds);
  }, []);

  return { secondsLeft, restart };
};

const formSchema = verifyOtpSchema.pick({ code: true });

export interface CodeStepProps {
  email: string;
  submitLabel: string;
  backLabel: string;
  onBack: () => void;
  /** Submits the code. This component shows a returned error; the parent handles success. */
  onVerify: (code: string) => Promise<ActionResult>;
  onResend: () => Promise<ActionResult>;
  /**
   * Additional information about the email, shown after the text that says where the code was sent.
   */
  note?: ReactNode;
  /**
   * Whether a code has just been sent; true by default. Only then does the code input take the focus when
   * it appears, and a new code can be requested only after a countdown.
   */
  isJustSent?: boolean | undefined;
  /** Number of seconds until a new code can be requested, if the code was sent a little earlier. */
  resendAfter?: number | undefined;
}

/** The form for the emailed six-digit code. A new code can be requested 30 seconds after the last one. */
export function CodeStep({
  email,
  submitLabel,
  backLabel,
  onBack,
  onVerify,
  onResend,
  note,
  isJustSent = true,
  resendAfter = isJustSent ? resendCooldownSeconds : 0,
}: CodeStepProps) {
  const form = useContractForm({ schema: formSchema, defaultValues: { code: '' }, editing: 'clears' });
  const { handleSubmit, clearErrors, setValue, setFocus, showFieldErrors, submitButton } = form;
  const [resending, setResending] = useState(false);
  const { secondsLeft, restart } = useCountdown(resendAfter);
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  const verify = handleSubmit(async ({ code }) => {
    const { error } = await onVerify(code);
    if (!error || !isMounted.current) return;
    const { sentence, clears } = describeCodeFailure(error);
    if (clears) setValue('code', '');
    showFieldErrors({ code: sentence });
    toast.error(sentence);
  });

  const resend = async (): Promise<void> => {
    setResending(true);
    const result = await onResend();
    setResending(false);
    if (result.error?.resendAfter !== undefined) {
      restart(result.error.resendAfter);
      toast.message(codeAlreadySentMessage);
      return;
    }
    if (result.error) {
      toast.error(describeResendFailure(result.error));
      return;
    }
    restart(resendCooldownSeconds);
    setValue('code', '');
    clearErrors();
    toast.success('New verification code sent!');
    setFocus('code');
  };

  return (
    <form onSubmit={verify} noValidate className="flex flex-col gap-5">
      <p className="text-ink-muted">
        <span>We sent a 6-digit code to </span>
        <strong className="break-words text-ink">{email}</strong>
        <span>
          {`. It expires ${isJustSent ? 'in' : 'after'} ${oneTimeCodeLifetimeSeconds / 60} minutes.${note ? ` ${note}` : ''}`}
        </span>
      </p>
      <CodeField
        label="Verification code"
        form={form}
        autoFocus={isJustSent}
        onComplete={() => void verify()}
      />
      <Button {...submitButton} wide>
        {submitLabel}
      </Button>
      <div className="flex flex-wrap justify-between gap-x-4">
        <Button
          variant="link"
          size="sm"
          disabled={secondsLeft > 0}
          loading={resending}
          onClick={() => void resend()}
        >
          {secondsLeft > 0 ? `Resend code in ${secondsLeft}s` : 'Resend code'}
        </Button>
        <Button variant="link" size="sm" onClick={onBack}>
          {backLabel}
        </Button>
      </div>
    </form>
  );
}
