import { AwaySwitch } from '#web/profiles/away-switch.tsx';
import { SettingsSection } from '#web/profiles/settings-section.tsx';

export function AwayPage() {
  return (
    <SettingsSection title="Away" isOnly>
      <AwaySwitch />
    </SettingsSection>
  );
}
