import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { resetPasswordFormSchema } from '#contract/accounts.ts';
import { links } from '#web/lib/links.ts';
import { useCampusNames } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Field } from '#web/ui/field.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { TextLink } from '#web/ui/text-link.tsx';
import { toast } from '#web/ui/toast.ts';
import { describeResetPasswordFailure } from './failure-messages.ts';
import { resetPassword } from './session-actions.ts';

export interface ResetPasswordFormProps {
  token: string;
  onDone: () => void;
}

export function ResetPasswordForm({ token, onDone }: ResetPasswordFormProps) {
  const campusWords = useCampusNames();
  const { register, handleSubmit, formState, control, showFieldErrors, submitButton } = useContractForm({
    schema: resetPasswordFormSchema,
    defaultValues: { password: '', confirmPassword: '' },
  });
  const [failureMessage, setFailureMessage] = useState<string>();
  const { errors } = formState;
  const newPassword = useWatch({ control, name: 'password' });

  const reset = handleSubmit(async ({ password, removePasskeys }) => {
    setFailureMessage(undefined);
    const { error } = await resetPassword({ token, password, ...(removePasskeys && { removePasskeys }) });
    if (!error) {
      toast.success('Password updated successfully!');
      onDone();
      return;
    }
    if (error.code === 'weak_password') showFieldErrors({ password: error.message });
    else setFailureMessage(describeResetPasswordFailure(error));
  });

  return (
    <form onSubmit={reset} noValidate className="flex flex-col gap-5">
      {failureMessage && (
        <Alert tone="error">
          <span>{`${failureMessage} `}</span>
          <TextLink to={links.forgotPassword}>Request a new link</TextLink>
        </Alert>
      )}
      <NewPasswordField
        label="New password"
        error={errors.password?.message}
        password={newPassword}
        known={campusWords}
        {...register('password')}
      />
      <Field label="Confirm new password" error={errors.confirmPassword?.message} required>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
      <Checkbox
        label="Remove my passkeys, too"
        hint="If somebody else may have been in your account."
        {...register('removePasskeys')}
      />
      <Button {...submitButton} wide>
        Update Password
      </Button>
    </form>
  );
}
