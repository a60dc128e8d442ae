import type { OwnProfile } from '#contract/profiles.ts';
import { LogOutEverywhere } from '#web/accounts/log-out-everywhere.tsx';
import { SessionList } from '#web/accounts/session-list.tsx';
import { TwoStepSettings } from '#web/accounts/two-step-settings.tsx';
import { hasPassword } from '#web/lib/session.ts';
import { useSession } from '#web/lib/use-session.ts';
import { ChangePasswordForm } from '#web/profiles/password-form.tsx';
import { SettingsSection } from '#web/profiles/settings-section.tsx';

export function SecurityPage({ profile: { id, email } }: { profile: OwnProfile }) {
  return (
    <>
      <SettingsSection title={hasPassword(useSession().user) ? 'Change password' : 'Set a password'}>
        <ChangePasswordForm email={email} />
      </SettingsSection>
      <SettingsSection title="Two-step verification">
        <TwoStepSettings ownId={id} email={email} />
      </SettingsSection>
      <SettingsSection title="Where you are logged in">
        <SessionList ownId={id} />
      </SettingsSection>
      <SettingsSection title="Log out everywhere">
        <LogOutEverywhere />
      </SettingsSection>
    </>
  );
}
