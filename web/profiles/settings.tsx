import { type ReactNode, useState } from 'react';
import { getDisplayNameFromEmail } from '#contract/names.ts';
import { type OwnProfile, profileErrorMessages } from '#contract/profiles.ts';
import { useLogoutEverywhere } from '#web/accounts/public.ts';
import { ApiError } from '#web/lib/api.ts';
import { hasPassword } from '#web/lib/session.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { useSession } from '#web/lib/use-session.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { toast } from '#web/ui/toast.ts';
import { CampusAddressSection } from './campus-address.tsx';
import { DeleteAccountButton } from './delete-account.tsx';
import { DownloadDataButton } from './download-data.tsx';
import { saveProfile, useOwnProfile } from './own-profile.ts';
import { ChangePasswordForm } from './password-form.tsx';

interface ProfileSettingsProps {
  profile: OwnProfile;
  /** The content of the sections that other features provide. */
  notifications: ReactNode;
  blockedPeople: ReactNode;
  twoStep: ReactNode;
  sessions: ReactNode;
  theme: ReactNode;
}

/** The settings tab: notifications, theme, privacy, blocked people, campus address, log-in, data download and account deletion. */
export function ProfileSettings({
  profile,
  notifications,
  blockedPeople,
  twoStep,
  sessions,
  theme,
}: ProfileSettingsProps) {
  // This tab may be opened long after the screen has loaded the profile.
  useOwnProfile({ isFresh: true });
  const shortName = getDisplayNameFromEmail(profile.email, useCampus());
  return (
    <div className="flex flex-col gap-5">
      <SettingsSection title="Notifications">{notifications}</SettingsSection>
      <SettingsSection title="Theme">{theme}</SettingsSection>
      <SettingsSection title="Privacy">
        <FullNameSwitch profile={profile} shortName={shortName} />
      </SettingsSection>
      <SettingsSection title="Blocked people">{blockedPeople}</SettingsSection>
      <SettingsSection title="Campus address">
        <CampusAddressSection profile={profile} />
      </SettingsSection>
      <SettingsSection title={hasPassword(useSession().user) ? 'Change password' : 'Set a password'}>
        <ChangePasswordForm email={profile.email} />
      </SettingsSection>
      <SettingsSection title="Two-step verification">{twoStep}</SettingsSection>
      <SettingsSection title="Where you are logged in">{sessions}</SettingsSection>
      <SettingsSection title="Download my data">
        <DownloadDataButton />
      </SettingsSection>
      <SettingsSection title="Log out everywhere">
        <LogOutEverywhere />
      </SettingsSection>
      <SettingsSection title="Delete Account">
        <DeleteAccountButton />
      </SettingsSection>
    </div>
  );
}

function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card padded>
      <section aria-label={title}>
        <h2 className="mb-4 font-extrabold text-lg">{title}</h2>
        {children}
      </section>
    </Card>
  );
}

/** A switch that shows the new state immediately and returns to the old state if saving fails. */
function FullNameSwitch({ profile, shortName }: { profile: OwnProfile; shortName: string }) {
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

function LogOutEverywhere() {
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  const logoutEverywhere = useLogoutEverywhere();
  return (
    <div className="flex flex-wrap items-center justify-between gap-4">
      <p className="max-w-prose text-ink-muted text-sm">
        Ends every session of yours, on this device and all others, within seconds.
      </p>
      <Button variant="secondary" onClick={() => setIsDialogOpen(true)}>
        Log out everywhere
      </Button>
      <ConfirmDialog
        open={isDialogOpen}
        onOpenChange={setIsDialogOpen}
        title="Log out everywhere?"
        description="You will have to log in again on each of your devices."
        confirmLabel="Log out"
        onConfirm={async () => {
          try {
            await logoutEverywhere();
          } catch (reason) {
            toast.error('Something went wrong. Please try again.');
            throw reason;
          }
        }}
      />
    </div>
  );
}
