import { isSignOnRequired } from '#contract/campus.ts';
import type { OwnProfile } from '#contract/profiles.ts';
import { LogOutEverywhere } from '#web/accounts/log-out-everywhere.tsx';
import { PasskeySettings } from '#web/accounts/passkey-settings.tsx';
import { SessionList } from '#web/accounts/session-list.tsx';
import { SignOnSettings } from '#web/accounts/sign-on-settings.tsx';
import { TwoStepSettings } from '#web/accounts/two-step-settings.tsx';
import { hasPassword } from '#web/lib/session.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { ChangePasswordForm } from '#web/profiles/password-form.tsx';
import { SettingsSection } from '#web/profiles/settings-section.tsx';

export function SecurityPage({ profile: { id, email } }: { profile: OwnProfile }) {
  const campus = useCampus();
  const mayHavePassword = hasPassword(useSession().user);
  return (
    <>
      {campus.signOn && (
        <SettingsSection title={campus.signOn.name}>
          <SignOnSettings email={email} />
        </SettingsSection>
      )}
      {!isSignOnRequired(campus, email) && (
        <SettingsSection title={mayHavePassword ? 'Change password' : 'Set a password'}>
          <ChangePasswordForm email={email} />
        </SettingsSection>
      )}
      <SettingsSection title="Passkeys">
        <PasskeySettings ownId={id} email={email} />
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
