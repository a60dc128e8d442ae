import { useState } from 'react';
import { getDisplayNameFromEmail } from '#contract/names.ts';
import { type OwnProfile, profileErrorMessages } from '#contract/profiles.ts';
import { ApiError } from '#web/lib/api.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Switch } from '#web/ui/switch.tsx';
import { toast } from '#web/ui/toast.ts';
import { saveProfile } from './own-profile.ts';

/** A switch that shows the new state immediately and returns to the old state if saving fails. */
export function FullNameSwitch({ profile }: { profile: OwnProfile }) {
  const shortName = getDisplayNameFromEmail(profile.email, useCampus());
  const [pendingValue, setPendingValue] = useState<boolean>();
  const change = async (value: boolean): Promise<void> => {
    if (pendingValue !== undefined) return;
    setPendingValue(value);
    try {
      await saveProfile({ show_full_name: value });
      toast.success('Profile updated');
    } catch (error) {
      const refusal = error instanceof ApiError ? error.fields?.show_full_name : undefined;
      toast.error(refusal ?? profileErrorMessages.saveFailed);
    }
    setPendingValue(undefined);
  };
  return (
    <Switch
      label="Show my full name"
      hint={`Otherwise others see the first part of your email address: ${shortName}.`}
      checked={pendingValue ?? profile.show_full_name}
      aria-busy={pendingValue !== undefined}
      onChange={(event) => void change(event.target.checked)}
    />
  );
}
