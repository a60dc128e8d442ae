import { useState } from 'react';
import { loginSchema } from '#contract/accounts.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { toast } from '#web/ui/toast.ts';
import { CodeStep } from './code-step.tsx';
import { codeAlreadySentMessage, describeLogInFailure, describeResendFailure } from './failure-messages.ts';
import type { ActionResult } from './session-actions.ts';
import { type AccountProof, proveAccount, type SentCode, sendSignOnCode } from './sign-on-actions.ts';

type Prove = (proof: AccountProof) => Promise<ActionResult>;

const passwordSchema = loginSchema.pick({ password: true });

/** Mails another code. The error tells how long to wait if one was mailed a moment ago. */
const resendCode = async (ticket: string): Promise<ActionResult> => {
  let resendAfter: number | undefined;
  const result = await sendSignOnCode(ticket, (code) => {
    resendAfter = code.resendAfter;
  });
  if (result.error || resendAfter === undefined) return result;
  return { error: { code: 'rate_limited', message: codeAlreadySentMessage, resendAfter } };
};

/**
 * Asks a person who came back from the university's sign-on to prove once that they own the account with their address.
 * `ticket` is the code with which they came back. With `isOtherAddress`, the account logs in with another address, and somebody
 * added theirs to it.
 */
export function AccountProofStep({ ticket, isOtherAddress }: { ticket: string; isOtherAddress: boolean }) {
  const { signOn } = useCampus();
  const [sent, setSent] = useState<SentCode>();
  const [isSending, setIsSending] = useState(false);
  const name = signOn?.name ?? 'your university';
  const prove: Prove = (proof) =>
    proveAccount(ticket, proof, () =>
      toast.message(`To log in with ${name} next time, connect it in Settings.`),
    );

  const sendCode = async (): Promise<void> => {
    setIsSending(true);
    const { error } = await sendSignOnCode(ticket, (code) => {
      setSent(code);
      if (code.resendAfter !== undefined) toast.message(codeAlreadySentMessage);
    });
    setIsSending(false);
    if (error) toast.error(describeResendFailure(error));
  };

  if (sent) {
    return (
      <>
        <CodeStep
          {...sent}
          submitLabel="Connect and log in"
          backLabel="Back"
          onBack={() => setSent(undefined)}
          onVerify={(code) => prove({ code })}
          onResend={() => resendCode(ticket)}
        />
        {isOtherAddress && <NewAccount prove={prove} />}
      </>
    );
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="text-ink-muted">
        {isOtherAddress
          ? `An account that logs in with another address has your campus address. If it is yours, confirm it once; then ${name} opens it.`
          : `There is already an account with your address. Confirm once that it is yours; then ${name} opens it.`}
      </p>
      <Button wide loading={isSending} onClick={() => void sendCode()}>
        Email me a code
      </Button>
      {!signOn?.isRequired && <PasswordProofForm prove={prove} />}
      {isOtherAddress && <NewAccount prove={prove} />}
    </div>
  );
}

/** The way on for a person whose campus address somebody else has added to their account. */
function NewAccount({ prove }: { prove: Prove }) {
  const [isStarting, setIsStarting] = useState(false);
  const start = async (): Promise<void> => {
    setIsStarting(true);
    const { error } = await prove({ isNew: true });
    if (error) toast.error(error.message);
    setIsStarting(false);
  };
  return (
    <div className="mt-5 flex flex-col gap-5 border-line border-t pt-5">
      <p className="text-ink-muted text-sm">
        If the account is not yours, start a new one. The other account then loses your campus address.
      </p>
      <Button variant="secondary" wide loading={isStarting} onClick={() => void start()}>
        Start a new account
      </Button>
    </div>
  );
}

function PasswordProofForm({ prove }: { prove: Prove }) {
  const { register, handleSubmit, formState, showFieldErrors, submitButton } = useContractForm({
    schema: passwordSchema,
    defaultValues: { password: '' },
    editing: 'clears',
  });
  const submit = handleSubmit(async ({ password }) => {
    const { error } = await prove({ password });
    if (error) showFieldErrors(error.fields ?? { password: describeLogInFailure(error) });
  });
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-5">
      <Field label="Or your password here" error={formState.errors.password?.message} required>
        <PasswordInput autoComplete="current-password" {...register('password')} />
      </Field>
      <Button {...submitButton} variant="secondary" wide>
        Connect and log in
      </Button>
    </form>
  );
}
