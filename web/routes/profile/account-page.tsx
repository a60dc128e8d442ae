import { DeleteAccountButton } from '#web/profiles/delete-account.tsx';
import { DownloadDataButton } from '#web/profiles/download-data.tsx';
import { SettingsSection } from '#web/profiles/settings-section.tsx';

export function AccountPage() {
  return (
    <>
      <SettingsSection title="Download my data">
        <DownloadDataButton />
      </SettingsSection>
      <SettingsSection title="Delete Account">
        <DeleteAccountButton />
      </SettingsSection>
    </>
  );
}
