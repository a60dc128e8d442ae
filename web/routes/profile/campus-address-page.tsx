import type { OwnProfile } from '#contract/profiles.ts';
import { CampusAddressSection } from '#web/profiles/campus-address.tsx';
import { SettingsSection } from '#web/profiles/settings-section.tsx';

export function CampusAddressPage({ profile }: { profile: OwnProfile }) {
  return (
    <SettingsSection title="Campus address" isOnly>
      <CampusAddressSection profile={profile} />
    </SettingsSection>
  );
}
