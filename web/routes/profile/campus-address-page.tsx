import type { OwnProfile } from '#contract/profiles.ts';
import { CampusAddressSection } from '#web/profiles/campus-address.tsx';
import { MembershipSection } from '#web/profiles/membership-section.tsx';
import { SettingsSection } from '#web/profiles/settings-section.tsx';

export function CampusAddressPage({ profile }: { profile: OwnProfile }) {
  return (
    <>
      <SettingsSection title="Campus address" isOnly={!profile.membership}>
        <CampusAddressSection profile={profile} />
      </SettingsSection>
      {profile.membership && (
        <SettingsSection title="Membership">
          <MembershipSection profile={profile} membership={profile.membership} />
        </SettingsSection>
      )}
    </>
  );
}
