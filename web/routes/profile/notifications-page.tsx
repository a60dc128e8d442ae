import type { OwnProfile } from '#contract/profiles.ts';
import { NotificationSettings } from '#web/notifications/notification-settings.tsx';
import { SettingsSection } from '#web/profiles/settings-section.tsx';
import { useHasPushDevice } from '#web/push/public.ts';
import { PushSettings } from '#web/push/push-settings.tsx';

export function NotificationsPage({ profile: { id } }: { profile: OwnProfile }) {
  const hasPushDevice = useHasPushDevice(id);
  return (
    <SettingsSection title="Notifications" isOnly>
      <NotificationSettings ownId={id} hasPushDevice={hasPushDevice} devices={<PushSettings ownId={id} />} />
    </SettingsSection>
  );
}
