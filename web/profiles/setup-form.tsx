import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import {
  displayName,
  type OwnProfile,
  profileSentences,
  profileSetupSchema,
  roles,
} from '#contract/profiles.ts';
import { ApiError } from '#web/lib/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { Input } from '#web/ui/input.tsx';
import { RadioGroup } from '#web/ui/radio-group.tsx';
import { toast } from '#web/ui/toast.ts';
import { AvatarPicker } from './avatar-picker.tsx';
import { saveProfile } from './save-profile.ts';

/** First-time set-up: name and role, or neither for now. */
export function SetupForm({ profile, onDone }: { profile: OwnProfile; onDone: () => void }) {
  const defaults = { full_name: profile.full_name ?? '', ...(profile.role && { role: profile.role }) };
  const { register, handleSubmit, formState, setError } = useForm<z.infer<typeof profileSetupSchema>>({
    resolver: zodResolver(profileSetupSchema),
    defaultValues: defaults,
  });
  const [skipping, setSkipping] = useState(false);
  const { errors, isSubmitting } = formState;

  const submit = handleSubmit(async (form) => {
    try {
      await saveProfile(form);
    } catch (error) {
      const refused = error instanceof ApiError ? error.fields?.full_name : undefined;
      if (refused) setError('full_name', { message: refused });
      toast.error('Setup failed', profileSentences.saveFailed);
      return;
    }
    toast.success('Profile created');
    onDone();
  });

  const skip = async (): Promise<void> => {
    setSkipping(true);
    try {
      const full_name = profile.full_name ?? displayName(profile);
      await saveProfile({ full_name, role: profile.role ?? 'Student' });
      onDone();
    } catch {
      toast.error('Could not skip setup. Please try again');
      setSkipping(false);
    }
  };

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-6">
      <AvatarPicker profile={profile} place="setup" />
      <Field label="Full name" error={errors.full_name?.message} required>
        <Input autoComplete="name" {...register('full_name')} />
      </Field>
      <Field label="I am a" error={errors.role?.message} required>
        <RadioGroup
          options={[
            { value: roles[0], label: 'Student', hint: 'Currently enrolled' },
            { value: roles[1], label: 'Alumni', hint: 'Graduated' },
            { value: roles[2], label: 'Staff', hint: 'Teaching, research or administration' },
          ]}
          {...register('role')}
        />
      </Field>
      <div className="flex flex-col gap-3 sm:flex-row-reverse sm:justify-between">
        <Button type="submit" loading={isSubmitting} disabled={skipping}>
          Complete Setup
        </Button>
        <Button variant="ghost" loading={skipping} disabled={isSubmitting} onClick={() => void skip()}>
          Skip for now
        </Button>
      </div>
    </form>
  );
}
