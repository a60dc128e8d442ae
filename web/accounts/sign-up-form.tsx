import { useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { createSignupFormSchema } from '#contract/accounts.ts';
import { links } from '#web/lib/links.ts';
import { useCampus, useCampusNames } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { useFormDraft } from '#web/lib/use-form-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { TextLink } from '#web/ui/text-link.tsx';
import { toast } from '#web/ui/toast.ts';
import { describeSignUpFailure, isAccountExistsFailure } from './failure-messages.ts';
import { type ActionError, signupWithPassword } from './session-actions.ts';

export type SignUpFormValues = z.infer<ReturnType<typeof createSignupFormSchema>>;

const blankValues: Omit<SignUpFormValues, 'terms'> & Partial<SignUpFormValues> = {
  fullName: '',
  email: '',
  password: '',
  confirmPassword: '',
};

export interface SignUpFormProps {
  /** Initial values of the form, set when the person returns to it from the code step. */
  details?: SignUpFormValues | undefined;
  onSubmit: () => void;
  onCodeSent: (details: SignUpFormValues) => void;
  onAccountExists: () => void;
}

/**
 * Returns the error messages of a failed sign-up by field. For two error codes the server does not
 * name the field, so it is chosen here.
 */
const toSignUpFieldErrors = ({ code, message, fields }: ActionError): Record<string, string> | undefined => {
  if (code === 'campus_address_required') return { email: message };
  return code === 'weak_password' ? { password: message } : fields;
};

/** The first step of signing up: name, email and password. The second is the emailed code. */
export function SignUpForm({ details, onSubmit, onCodeSent, onAccountExists }: SignUpFormProps) {
  const campus = useCampus();
  const campusWords = useCampusNames();
  const methods = useContractForm({
    schema: createSignupFormSchema(campus),
    defaultValues: details ?? blankValues,
  });
  // The phone may drop the tab while the person reads the email with the code.
  useFormDraft('sign-up', methods, ['password', 'confirmPassword'], blankValues);
  const { register, handleSubmit, formState, control, showFieldErrors, submitButton } = methods;
  const { errors } = formState;
  const [fullName, email, password] = useWatch({ control, name: ['fullName', 'email', 'password'] });

  const signUp = handleSubmit(async (form) => {
    const { email, password, fullName } = form;
    onSubmit();
    const { error } = await signupWithPassword({ email, password, fullName });
    if (error) {
      if (!showFieldErrors(toSignUpFieldErrors(error))) toast.error(describeSignUpFailure(error));
      if (isAccountExistsFailure(error)) onAccountExists();
      return;
    }
    toast.success('Verification code sent to your email!');
    onCodeSent(form);
  });

  return (
    <form onSubmit={signUp} noValidate className="flex flex-col gap-5">
      <Field label="Full name" error={errors.fullName?.message} required>
        <Input autoComplete="name" {...register('fullName')} />
      </Field>
      <Field
        label="Email"
        hint={
          campus.signOn?.isRequired
            ? `With an @${campus.domain} address, use “Continue with ${campus.signOn.name}” instead.`
            : `An @${campus.domain} address earns you the verified badge. You can also add one later in Settings.`
        }
        error={errors.email?.message}
        required
      >
        <Input type="email" inputMode="email" autoComplete="username" {...register('email')} />
      </Field>
      <NewPasswordField
        label="Password"
        error={errors.password?.message}
        password={password}
        known={[fullName, email, ...campusWords]}
        {...register('password')}
      />
      <Field label="Confirm password" error={errors.confirmPassword?.message} required>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
      <Checkbox
        error={errors.terms?.message}
        label={
          <>
            I agree to the{' '}
            <TextLink to={links.terms} target="_blank">
              Terms of Service
            </TextLink>{' '}
            and the{' '}
            <TextLink to={links.privacy} target="_blank">
              Privacy Policy
            </TextLink>
          </>
        }
        {...register('terms')}
      />
      <Button {...submitButton} wide>
        Create Account
      </Button>
    </form>
  );
}
