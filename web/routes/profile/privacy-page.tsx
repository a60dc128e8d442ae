import type { OwnProfile } from '#contract/profiles.ts';
import { BlockedPeople } from '#web/blocks/blocked-people.tsx';
import { FullNameSwitch, SharedActivitySwitches } from '#web/profiles/profile-switch.tsx';
import { SettingsSection } from '#web/profiles/settings-section.tsx';

export function PrivacyPage({ profile }: { profile: OwnProfile }) {
  return (
    <>
      <SettingsSection title="Your name">
        <FullNameSwitch profile={profile} />
      </SettingsSection>
      <SettingsSection title="Conversations">
        <SharedActivitySwitches profile={profile} />
      </SettingsSection>
      <SettingsSection title="Blocked people">
        <BlockedPeople ownId={profile.id} />
      </SettingsSection>
    </>
  );
}
