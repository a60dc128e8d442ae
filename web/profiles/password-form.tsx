import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { changePasswordFormSchema } from '#contract/accounts.ts';
import { errorCatalogue } from '#contract/errors.ts';
import { changePassword } from '#web/accounts/public.ts';
import { hasPassword } from '#web/lib/session.ts';
import { useCampusWords } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { toast } from '#web/ui/toast.ts';

const blank = { currentPassword: '', password: '', confirmPassword: '' };

/**
 * Sets a new password, typed twice. Asks for the current password when the server requires it, which it does for old
 * sessions.
 */
export function PasswordForm({ email }: { email: string }) {
  const campusWords = useCampusWords();
  const { register, handleSubmit, formState, reset, control, refuse, submitButton } = useContractForm({
    schema: changePasswordFormSchema,
    defaultValues: blank,
  });
  const [proofWanted, setProofWanted] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const { errors } = formState;
  const chosen = useWatch({ control, name: 'password' });
  const passwordMissing = !hasPassword(useSession().user);

  const submit = handleSubmit(async ({ password, currentPassword }) => {
    setRefusal(undefined);
    const { error } = await changePassword({ password, currentPassword });
    if (!error) {
      toast.success('Password updated successfully!');
      setProofWanted(false);
      reset(blank);
      return;
    }
    if (error.code === 'weak_password') refuse({ password: error.message });
    else if (error.code !== 'reauthentication_needed') setRefusal(sentenceOf(error));
    else if (proofWanted) refuse({ currentPassword: 'This is not your current password' });
    else setProofWanted(true);
  });

  return (
    <form onSubmit={submit} noValidate className="flex max-w-md flex-col gap-4">
      <p className="text-ink-muted text-sm">
        {passwordMissing && 'Your account has no password yet: you log in with emailed codes. '}
        Your other devices are logged out when it changes.
      </p>
      {refusal && <Alert tone="error">{refusal}</Alert>}
      {/* Tells password managers which account this password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {proofWanted && (
        <Field
          label="Current password"
          hint="You logged in a while ago: please show that it is you. Without a password, log out and log in with an emailed code."
          error={errors.currentPassword?.message}
          required
        >
          <PasswordInput autoComplete="current-password" autoFocus {...register('currentPassword')} />
        </Field>
      )}
      <NewPasswordField
        label="New password"
        error={errors.password?.message}
        password={chosen}
        known={[email, ...campusWords]}
        {...register('password')}
      />
      <Field label="Confirm new password" error={errors.confirmPassword?.message} required>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
      <div>
        <Button {...submitButton} variant="secondary">
          {passwordMissing ? 'Set Password' : 'Change Password'}
        </Button>
      </div>
    </form>
  );
}

const sentenceOf = ({ code, message }: { code: string; message: string }): string => {
  if (code === 'unavailable') return errorCatalogue.unavailable.sentence;
  if (code === 'over_request_rate_limit') return message;
  return 'Something went wrong. Please try again.';
};
