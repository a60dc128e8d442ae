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

const draftName = 'profile';
const roleOptions = campusRoles.map((role) => ({ value: role, label: role }));

export interface ProfileEditFormProps {
  profile: OwnProfile;
  /** Path that Cancel links to. */
  backTo: string;
  onDone: () => void;
}

/** The form for editing the person's own profile. */
export function ProfileEditForm({ profile, backTo, onDone }: ProfileEditFormProps) {
  const campus = useCampus();
  const form = useContractForm({
    schema: createProfileFormSchema(campus),
    defaultValues: {
      full_name: profile.full_name ?? '',
      bio: profile.bio ?? '',
      ...(profile.role && { role: profile.role }),
    },
  });
  const { register, handleSubmit, control, showFieldErrors, submitButton } = form;
  const { errors, isSubmitting } = form.formState;
  const isRestored = useFormDraft(draftName, form);
  const discardDraft = (): void => removeFormDraft(draftName);
  const bio = useWatch({ control, name: 'bio' });

  const submit = handleSubmit(
    async (values) => {
      try {
        await saveProfile(values);
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
      <AvatarPicker profile={profile} form="editor" />
      <Field label="Full name" error={errors.full_name?.message} required>
        <Input autoComplete="name" readOnly={isSubmitting} {...register('full_name')} />
      </Field>
      <Field label="Email" hint="Your email cannot be changed.">
        <Input type="email" value={profile.email} readOnly className="bg-sunken! text-ink-muted" />
      </Field>
      <Field label="Role" error={errors.role?.message} required>
        <Select
          {...(profile.role ? {} : { placeholder: 'Select your role' })}
          options={roleOptions}
          {...register('role')}
        />
      </Field>
      <Field
        label="Bio"
        hint="Everyone can see this: what you study, what you collect, when you are on campus."
        error={errors.bio?.message}
        aside={`${countCharacters(bio.trim())}/${maxBioLength}`}
      >
        <Textarea className="min-h-32" readOnly={isSubmitting} {...register('bio')} />
      </Field>
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
