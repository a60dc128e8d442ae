import { useEffect, useEffectEvent, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { changePasswordFormSchema } from '#contract/accounts.ts';
import { isCampusEmail } from '#contract/campus.ts';
import { errorCatalog } from '#contract/errors.ts';
import { changePassword, ReauthenticationForm, refreshSessions } from '#web/accounts/public.ts';
import { hasPassword } from '#web/lib/session.ts';
import { useCampus, useCampusNames } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { PasswordInput } from '#web/ui/password-input.tsx';
import { toast } from '#web/ui/toast.ts';

const emptyValues = { currentPassword: '', password: '', confirmPassword: '' };

/**
 * The form for setting a new password, which must be typed twice. If the log-in was more than a few minutes
 * ago, the server requires a proof of identity: the form then has a field for the current password or, if the
 * account has none, asks for an emailed code.
 */
export function ChangePasswordForm({ email }: { email: string }) {
  const campus = useCampus();
  const campusWords = useCampusNames();
  const { register, handleSubmit, formState, reset, control, showFieldErrors, submitButton } =
    useContractForm({
      schema: changePasswordFormSchema,
      defaultValues: emptyValues,
    });
  const [needsCurrentPassword, setNeedsCurrentPassword] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const [failureMessage, setFailureMessage] = useState<string>();
  const { errors, isDirty } = formState;
  // Passwords are not kept on the device.
  const warnAboutLoss = useEffectEvent(() => {
    if (isDirty) toast.message('Your password was not changed', 'What you typed is not kept.');
  });
  useEffect(() => () => warnAboutLoss(), []);
  const newPassword = useWatch({ control, name: 'password' });
  const hasNoPassword = !hasPassword(useSession().user);

  const submit = handleSubmit(async ({ password, currentPassword }) => {
    setFailureMessage(undefined);
    const { error } = await changePassword({ password, currentPassword });
    if (!error) {
      toast.success('Password updated successfully!');
      refreshSessions();
      setNeedsCurrentPassword(false);
      reset(emptyValues);
      return;
    }
    if (error.code === 'weak_password') showFieldErrors({ password: error.message });
    else if (error.code !== 'reauthentication_needed') setFailureMessage(describeFailure(error));
    else if (hasNoPassword) setNeedsCode(true);
    else if (needsCurrentPassword) showFieldErrors({ currentPassword: 'This is not your current password' });
    else setNeedsCurrentPassword(true);
  });

  return (
    <>
      <form onSubmit={submit} noValidate className="flex max-w-md flex-col gap-4">
        <p className="text-ink-muted text-sm">
          {`${hasNoPassword ? 'Your account has no password yet: you log in with emailed codes. ' : ''}Your other devices are logged out when it changes.`}
        </p>
        {failureMessage && <Alert tone="error">{failureMessage}</Alert>}
        {/* Tells password managers which account this password belongs to. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        {needsCurrentPassword && (
          <Field
            label="Current password"
            hint={`Please show that it is you. If you forgot it, log out and choose ${
              // Reset links are mailed only to campus addresses.
              isCampusEmail(campus, email)
                ? 'Forgot password.'
                : '“Email me a code”; then you can set a new one here.'
            }`}
            error={errors.currentPassword?.message}
            required
          >
            <PasswordInput autoComplete="current-password" autoFocus {...register('currentPassword')} />
          </Field>
        )}
        <NewPasswordField
          label="New password"
          error={errors.password?.message}
          password={newPassword}
          known={[email, ...campusWords]}
          {...register('password')}
        />
        <Field label="Confirm new password" error={errors.confirmPassword?.message} required>
          <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
        </Field>
        <div>
          <Button {...submitButton} variant="secondary">
            {hasNoPassword ? 'Set Password' : 'Change Password'}
          </Button>
        </div>
      </form>
      {needsCode && (
        <Dialog open onOpenChange={setNeedsCode} keepOpen title="Set a password">
          <ReauthenticationForm
            email={email}
            leavingHint={
              campus.signOn &&
              `Your new password is not kept while you are at ${campus.signOn.name}. Type it again afterwards.`
            }
            onProved={() => {
              setNeedsCode(false);
              void submit();
            }}
          />
        </Dialog>
      )}
    </>
  );
}

const describeFailure = ({ code, message }: { code: string; message: string }): string => {
  if (code === 'unavailable') return errorCatalog.unavailable.sentence;
  if (code === 'over_request_rate_limit') return message;
  return 'Something went wrong. Please try again.';
};
