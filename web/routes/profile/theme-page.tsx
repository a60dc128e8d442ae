import { SettingsSection } from '#web/profiles/settings-section.tsx';
import { ThemeToggle } from '#web/shell/theme-toggle.tsx';

export function ThemePage() {
  return (
    <SettingsSection title="Theme" isOnly>
      <ThemeToggle />
    </SettingsSection>
  );
}
