import { Mail } from 'lucide-react';
import { useState } from 'react';
import { accountErrorMessages, emailSchema, loginSchema } from '#contract/accounts.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { StandaloneLink } from '#web/ui/text-link.tsx';
import { toast } from '#web/ui/toast.ts';
import { codeAlreadySentMessage, describeLogInFailure } from './failure-messages.ts';
import { loginWithPassword, sendOTP } from './session-actions.ts';

const formSchema = loginSchema.pick({ email: true, password: true });

/** What a person entered before the step that asks for the emailed code. */
export interface EnteredCredentials {
  email: string;
  /** The password, if the server accepted it and only the emailed code is missing. */
  password?: string | undefined;
  /** Number of seconds until a new code can be requested, if the code was sent a little earlier. */
  resendAfter?: number | undefined;
}

export interface LogInFormProps {
  /** Initial value of the email field, set when the person returns to this form from the code step. */
  email?: string | undefined;
  /**
   * Called after a code was emailed, now or moments ago.
   */
  onCodeSent: (entered: EnteredCredentials) => void;
  forgotTo: string;
}

/**
 * A form that logs in with email and password, or requests a code by email. The parent component
 * watches the session and navigates away after a successful login.
 */
export function LogInForm({ email = '', onCodeSent, forgotTo }: LogInFormProps) {
  const { register, handleSubmit, formState, getValues, showFieldErrors, submitButton } = useContractForm({
    schema: formSchema,
    defaultValues: { email, password: '' },
  });
  const [sendingCode, setSendingCode] = useState(false);
  const { errors, isSubmitting } = formState;

  const logIn = handleSubmit(async (form) => {
    const { error } = await loginWithPassword(form);
    if (!error) return;
    toast.error(describeLogInFailure(error));
    if (error.code === 'email_not_verified') onCodeSent(form);
  });

  const sendCode = async (): Promise<void> => {
    const address = emailSchema.safeParse(getValues('email'));
    if (!address.success) {
      showFieldErrors({ email: accountErrorMessages.email });
      return;
    }
    setSendingCode(true);
    const { error } = await sendOTP(address.data);
    setSendingCode(false);
    if (error && error.resendAfter === undefined) {
      toast.error(describeLogInFailure(error));
      return;
    }
    if (error) toast.message(codeAlreadySentMessage);
    else toast.success('Verification code sent to your email!');
    onCodeSent({ email: address.data, resendAfter: error?.resendAfter });
  };

  return (
    <form onSubmit={logIn} noValidate className="flex flex-col gap-5">
      <Field label="Email" error={errors.email?.message} required>
        <Input type="email" inputMode="email" autoComplete="username webauthn" {...register('email')} />
      </Field>
      <div>
        <Field label="Password" error={errors.password?.message} required>
          <PasswordInput autoComplete="current-password" {...register('password')} />
        </Field>
        <p className="-mb-3 text-right text-sm">
          <StandaloneLink to={forgotTo}>Forgot password?</StandaloneLink>
        </p>
      </div>
      <Button {...submitButton} wide>
        Log In
      </Button>
      <div className="flex items-center gap-3 text-ink-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </div>
      <Button
        variant="secondary"
        wide
        loading={sendingCode}
        disabled={isSubmitting}
        icon={<Mail aria-hidden="true" className="size-5" />}
        onClick={() => void sendCode()}
      >
        Email me a code
      </Button>
    </form>
  );
}
