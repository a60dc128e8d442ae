import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { calls } from '#contract/calls.ts';
import { isSignOnRequired } from '#contract/campus.ts';
import { getDisplayNameFromEmail } from '#contract/names.ts';
import {
  campusRoles,
  createProfileSetupSchema,
  type OwnProfile,
  profileErrorMessages,
} from '#contract/profiles.ts';
import { changePassword } from '#web/accounts/public.ts';
import { ApiError, request } from '#web/lib/api.ts';
import { hasPassword } from '#web/lib/session.ts';
import { useCampus, useCampusNames } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Alert } from '#web/ui/alert.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { NewPasswordField } from '#web/ui/new-password-field.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import { toast } from '#web/ui/toast.ts';
import { AvatarPicker } from './avatar-picker.tsx';
import { saveProfile } from './own-profile.ts';
import { useAvatarUpload, waitingForPhotoMessage } from './use-avatar-upload.ts';

const fieldNames = ['full_name', 'role'] as const;
const draftName = 'profile-setup';
const lateMessage = 'Please leave this empty. You can set a password in Settings later.';

/** The form for first-time set-up of name and role, which can be skipped. */
export function ProfileSetupForm({ profile, onDone }: { profile: OwnProfile; onDone: () => void }) {
  const campus = useCampus();
  const campusWords = useCampusNames();
  const hasNoPassword = !hasPassword(useSession().user) && !isSignOnRequired(campus, profile.email);
  const defaults = {
    full_name: profile.full_name ?? '',
    ...(profile.role && { role: profile.role }),
    password: '',
  };
  const form = useContractForm({ schema: createProfileSetupSchema(campus), defaultValues: defaults });
  const { register, handleSubmit, control, showFieldErrors, submitButton } = form;
  useFormDraft(draftName, form, ['password']);
  const avatarUpload = useAvatarUpload('setup');
  const newPassword = useWatch({ control, name: 'password' });
  const [skipping, setSkipping] = useState(false);
  const { defaultValues, errors, isSubmitting } = form.formState;

  const submit = handleSubmit(async ({ password, ...values }) => {
    if (!(await avatarUpload.finish())) return;
    if (password && hasNoPassword) {
      const { error } = await changePassword({ password });
      if (error) {
        const isLate = error.code === 'reauthentication_needed';
        showFieldErrors({ password: isLate ? lateMessage : error.message });
        return;
      }
    }
    try {
      // Another tab may have saved the other fields.
      const changes = fieldNames
        .filter((name) => values[name] !== defaultValues?.[name])
        .map((name) => [name, values[name]]);
      await saveProfile(Object.fromEntries(changes));
    } catch (error) {
      if (error instanceof ApiError) showFieldErrors(error.fields);
      toast.error('Setup failed', profileErrorMessages.saveFailed);
      return;
    }
    removeFormDraft(draftName);
    toast.success('Profile created');
    onDone();
  });

  const skip = async (): Promise<void> => {
    setSkipping(true);
    if (!(await avatarUpload.finish())) return setSkipping(false);
    try {
      // Another tab may have saved a name or role since this form was opened.
      const saved = await request(calls.getMe, {});
      await saveProfile({
        ...(saved.full_name ? {} : { full_name: getDisplayNameFromEmail(profile.email, campus) }),
        ...(saved.role ? {} : { role: 'Student' }),
      });
      removeFormDraft(draftName);
      onDone();
    } catch {
      toast.error('Could not skip setup. Please try again');
      setSkipping(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-6">
      {hasNoPassword && (
        <Alert>Your account has no password yet. Set one here, or keep logging in with emailed codes.</Alert>
      )}
      <AvatarPicker profile={profile} form="setup" upload={avatarUpload} />
      <Field label="Full name" error={errors.full_name?.message} required>
        <Input autoComplete="name" readOnly={isSubmitting} {...register('full_name')} />
      </Field>
      {!profile.is_role_verified && (
        <Field label="I am a" error={errors.role?.message} required>
          <RadioGroup
            options={[
              { value: campusRoles[0], label: 'Student', hint: 'Currently enrolled' },
              { value: campusRoles[1], label: 'Alumni', hint: 'Graduated' },
              { value: campusRoles[2], label: 'Staff', hint: 'Teaching, research or administration' },
            ]}
            {...register('role')}
          />
        </Field>
      )}
      {hasNoPassword && (
        <>
          {/* Tells password managers which account this password belongs to. */}
          <input type="email" autoComplete="username" value={profile.email} readOnly hidden />
          <NewPasswordField
            label="Password"
            hint="You can leave it empty."
            required={false}
            error={errors.password?.message}
            password={newPassword}
            known={[profile.email, ...campusWords]}
            {...register('password')}
          />
        </>
      )}
      <p role="status" className="text-ink-muted text-sm empty:hidden">
        {(isSubmitting || skipping) && avatarUpload.progress !== undefined && waitingForPhotoMessage}
      </p>
      <div className="flex flex-col gap-3 sm:flex-row-reverse sm:justify-between">
        <Button {...submitButton} disabled={submitButton.disabled || skipping}>
          Complete Setup
        </Button>
        <Button variant="ghost" loading={skipping} disabled={isSubmitting} onClick={() => void skip()}>
          Skip for now
        </Button>
      </div>
    </form>
  );
}
