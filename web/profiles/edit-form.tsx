import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { Link } from 'react-router';
import {
  campusRoles,
  createProfileFormSchema,
  maxBioLength,
  type OwnProfile,
  profileErrorMessages,
} from '#contract/profiles.ts';
import { countCharacters } from '#contract/text.ts';
import { ApiError } from '#web/lib/api.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useContractForm } from '#web/lib/use-contract-form.ts';
import { removeFormDraft, useFormDraft } from '#web/lib/use-form-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { RestoredDraftAlert } from '#web/ui/restored-draft-alert.tsx';
import { Select } from '#web/ui/select.tsx';
import { Textarea } from '#web/ui/textarea.tsx';
import { toast } from '#web/ui/toast.ts';
import { AvatarPicker } from './avatar-picker.tsx';
import { saveProfile } from './own-profile.ts';
import { useAvatarUpload, waitingForPhotoMessage } from './use-avatar-upload.ts';

const fieldNames = ['full_name', 'role', 'bio'] as const;
type FieldName = (typeof fieldNames)[number];
const draftName = 'profile';
const roleOptions = campusRoles.map((role) => ({ value: role, label: role }));

const toFormValues = ({ full_name, role, bio }: OwnProfile) => ({
  full_name: full_name ?? '',
  bio: bio ?? '',
  ...(role && { role }),
});

export interface ProfileEditFormProps {
  profile: OwnProfile;
  /** Path that Cancel links to. */
  backTo: string;
  onDone: () => void;
}

export function ProfileEditForm({ profile, backTo, onDone }: ProfileEditFormProps) {
  const campus = useCampus();
  const form = useContractForm({
    schema: createProfileFormSchema(campus),
    defaultValues: toFormValues(profile),
  });
  const { register, handleSubmit, control, showFieldErrors, submitButton } = form;
  const { getValues, setValue, resetDefaultValues } = form;
  const { defaultValues, errors, isSubmitting } = form.formState;
  const { isRestored } = useFormDraft(draftName, form);
  const discardDraft = (): void => removeFormDraft(draftName);
  const avatarUpload = useAvatarUpload('editor');
  const bio = useWatch({ control, name: 'bio' });

  // Show changes that were made elsewhere in the fields that have not been edited.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when a field of the profile has changed
  useEffect(() => {
    const loaded = toFormValues(profile);
    const unedited = fieldNames.filter((name) => (getValues(name) ?? '') === (defaultValues?.[name] ?? ''));
    resetDefaultValues(loaded);
    for (const name of unedited)
      if (loaded[name] !== defaultValues?.[name]) setValue(name, loaded[name] ?? '');
  }, [profile.full_name, profile.role, profile.bio]);

  const submit = handleSubmit(
    async (values) => {
      if (!(await avatarUpload.finish())) return;
      // The other fields may have been changed elsewhere. Saving the profile publishes an older bio (`is_bio_public`).
      const isSent = (name: FieldName) =>
        values[name] !== defaultValues?.[name] || (name === 'bio' && !profile.is_bio_public);
      const changes = fieldNames.filter(isSent).map((name) => [name, values[name]]);
      try {
        await saveProfile(Object.fromEntries(changes));
      } catch (error) {
        if (error instanceof ApiError) showFieldErrors(error.fields);
        toast.error(profileErrorMessages.saveFailed);
        return;
      }
      discardDraft();
      toast.success('Profile updated');
      onDone();
    },
    (invalid) => {
      if (invalid.full_name || invalid.role) toast.error(profileErrorMessages.required);
    },
  );

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-6">
      {isRestored && <RestoredDraftAlert />}
      <AvatarPicker profile={profile} form="editor" upload={avatarUpload} />
      <Field label="Full name" error={errors.full_name?.message} required>
        <Input autoComplete="name" readOnly={isSubmitting} {...register('full_name')} />
      </Field>
      <Field label="Email" hint="Your email cannot be changed.">
        <Input type="email" value={profile.email} readOnly className="bg-sunken! text-ink-muted" />
      </Field>
      {profile.is_role_verified ? (
        <Field label="Role" hint="Your university states your role.">
          <Input value={profile.role ?? ''} readOnly className="bg-sunken! text-ink-muted" />
        </Field>
      ) : (
        <Field label="Role" error={errors.role?.message} required>
          <Select
            {...(profile.role ? {} : { placeholder: 'Select your role' })}
            options={roleOptions}
            {...register('role')}
          />
        </Field>
      )}
      <Field
        label="Bio"
        hint="Everyone can see this: what you study, what you collect, when you are on campus."
        error={errors.bio?.message}
        aside={`${countCharacters(bio.trim())}/${maxBioLength}`}
      >
        <Textarea className="min-h-32" readOnly={isSubmitting} {...register('bio')} />
      </Field>
      <p role="status" className="text-ink-muted text-sm empty:hidden">
        {isSubmitting && avatarUpload.progress !== undefined && waitingForPhotoMessage}
      </p>
      <div className="flex flex-col gap-3 sm:flex-row-reverse sm:justify-start">
        <Button {...submitButton}>Save Changes</Button>
        <Button variant="secondary" asChild>
          <Link to={backTo} onClick={discardDraft}>
            Cancel
          </Link>
        </Button>
      </div>
    </form>
  );
}
