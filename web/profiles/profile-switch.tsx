import { useState } from 'react';
import { getDisplayNameFromEmail } from '#contract/names.ts';
import { type OwnProfile, profileErrorMessages } from '#contract/profiles.ts';
import { ApiError } from '#web/lib/api.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Switch } from '#web/ui/switch.tsx';
import { toast } from '#web/ui/toast.ts';
import { saveProfile } from './own-profile.ts';

interface ProfileSwitchProps {
  profile: OwnProfile;
  name: 'show_full_name' | 'show_seen' | 'show_typing';
  label: string;
  hint: string;
}

/** A switch that shows the new state immediately and returns to the old state if saving fails. */
function ProfileSwitch({ profile, name, label, hint }: ProfileSwitchProps) {
  const [pendingValue, setPendingValue] = useState<boolean>();
  const change = async (value: boolean): Promise<void> => {
    if (pendingValue !== undefined) return;
    setPendingValue(value);
    try {
      await saveProfile({ [name]: value });
      toast.success('Profile updated');
    } catch (error) {
      const refusal = error instanceof ApiError ? error.fields?.[name] : undefined;
      toast.error(refusal ?? profileErrorMessages.saveFailed);
    }
    setPendingValue(undefined);
  };
  return (
    <Switch
      label={label}
      hint={hint}
      checked={pendingValue ?? profile[name] ?? true}
      aria-busy={pendingValue !== undefined}
      onChange={(event) => void change(event.target.checked)}
    />
  );
}

export function FullNameSwitch({ profile }: { profile: OwnProfile }) {
  const shortName = getDisplayNameFromEmail(profile.email, useCampus());
  return (
    <ProfileSwitch
      profile={profile}
      name="show_full_name"
      label="Show my full name"
      hint={`Otherwise others see the first part of your email address: ${shortName}.`}
    />
  );
}

/** The switches for what the other party of a conversation learns besides the messages. Both work in both directions. */
export function SharedActivitySwitches({ profile }: { profile: OwnProfile }) {
  return (
    <div className="space-y-4">
      <ProfileSwitch
        profile={profile}
        name="show_seen"
        label="Show what I’ve seen"
        hint="People you write to see “Seen” under their messages, and whether you were active today or this week. If it’s off, you don’t see this of them either."
      />
      <ProfileSwitch
        profile={profile}
        name="show_typing"
        label="Show when I’m typing"
        hint="If it’s off, you don’t see when others are typing either."
      />
    </div>
  );
}
