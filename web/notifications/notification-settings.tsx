import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { calls } from '#contract/calls.ts';
import type { CampusLocale } from '#contract/campus.ts';
import type {
  NotificationSettingsChange,
  NotificationSettings as Settings,
} from '#contract/notifications.ts';
import { request } from '#web/lib/api.ts';
import { findDifferingCampusTimeZoneName } from '#web/lib/campus-time-zone.ts';
import { formatHour } from '#web/lib/format.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Field } from '#web/ui/field.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { Select } from '#web/ui/select.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { toast } from '#web/ui/toast.ts';
import { NotificationChannelTable } from './channel-table.tsx';

const settingsKey = (ownId: string) => ['notification-settings', ownId] as const;

const listHourOptions = (campus: CampusLocale) =>
  Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: formatHour(hour, campus) }));

/** Changes that follow one another within this many milliseconds are confirmed by a single toast. */
const confirmationDelayMs = 1_000;

/**
 * Returns a function that confirms in a toast that settings were saved. Several calls in quick succession
 * show only one toast.
 */
const useCalmConfirmation = (): (() => void) => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => toast.success('Settings saved'), confirmationDelayMs);
  };
};

const halfYearMs = 182 * 24 * 60 * 60_000;

/**
 * Returns a sentence that names the campus time zone, if this device shows another time now or in half a year, when
 * daylight saving time may begin or end. Returns undefined otherwise.
 */
const useCampusTimeNote = (): string | undefined => {
  const campus = useCampus();
  const [now] = useState(Date.now);
  const instants = [now, now + halfYearMs].map((instant) => new Date(instant).toISOString());
  const zone = findDifferingCampusTimeZoneName(campus, instants);
  return zone && `Times are campus time (${zone}).`;
};

interface NotificationSettingsProps {
  ownId: string;
  /** Whether any device gets push notifications, or undefined while it is not known yet. */
  hasPushDevice: boolean | undefined;
  /** The devices that get push notifications. */
  devices: ReactNode;
}

/**
 * The person's notification settings: channels, devices, quiet hours, and the hour of the daily email.
 * Changes are saved immediately.
 */
export function NotificationSettings({ ownId, hasPushDevice, devices }: NotificationSettingsProps) {
  const confirmSaving = useCalmConfirmation();
  const campus = useCampus();
  const campusTimeNote = useCampusTimeNote();
  const { data, isError, refetch } = useQuery(
    {
      queryKey: settingsKey(ownId),
      queryFn: ({ signal }) => request(calls.getNotificationSettings, { signal }),
    },
    queryClient,
  );

  const change = async (next: NotificationSettingsChange): Promise<void> => {
    const queryKey = settingsKey(ownId);
    await queryClient.cancelQueries({ queryKey });
    const merge = (settings: Settings): Settings => ({
      ...settings,
      ...(next as Partial<Settings>),
      channels: { ...settings.channels, ...next.channels } as Settings['channels'],
      quiet_hours: { ...settings.quiet_hours, ...next.quiet_hours } as Settings['quiet_hours'],
    });
    const before = queryClient.getQueryData<Settings>(queryKey);
    queryClient.setQueryData<Settings>(queryKey, before && merge(before));
    try {
      await request(calls.changeNotificationSettings, { body: next });
      confirmSaving();
    } catch (reason) {
      queryClient.setQueryData<Settings>(queryKey, before);
      toast.error('Failed to save settings', (reason as Error).message);
      // The server may have stored this change although its response was lost, so refetch the settings.
      void refetch();
    }
  };

  if (!data || hasPushDevice === undefined) {
    return (
      <LoadingOrFailed
        what="your notification settings"
        isError={isError}
        onRetry={() => void refetch()}
        className="h-96"
      />
    );
  }
  const { quiet_hours: quiet } = data;
  const hourOptions = listHourOptions(campus);
  const hasQuietHours = quiet.from !== quiet.until;
  return (
    <div className="flex flex-col gap-6">
      <NotificationChannelTable
        channels={data.channels}
        hasPushDevice={hasPushDevice}
        onChange={(name, isOn) => void change({ channels: { [name]: isOn } })}
      />
      <section aria-labelledby="push-devices">
        <h2 id="push-devices" className="mb-2 font-semibold">
          Push notifications
        </h2>
        {devices}
      </section>
      <Switch
        label="Hide content on the lock screen"
        hint="Push notifications only say that there is something new."
        checked={data.push_content === 'hidden'}
        onChange={(event) => void change({ push_content: event.target.checked ? 'hidden' : 'full' })}
      />
      <fieldset>
        <legend className="mb-1 font-semibold">Quiet hours</legend>
        <p className="mb-3 text-ink-muted text-sm">
          {hasQuietHours
            ? 'Nothing is sent during these hours, except security notices and updates about a handover that starts within three hours or started in the last hour.'
            : 'There are no quiet hours while both times are the same.'}
        </p>
        <div className="two-columns gap-3">
          {(['from', 'until'] as const).map((end) => (
            <Field key={end} label={end === 'from' ? 'From' : 'Until'}>
              <Select
                options={hourOptions}
                value={String(quiet[end])}
                onChange={(event) =>
                  void change({ quiet_hours: { [end]: Number(event.currentTarget.value) } })
                }
              />
            </Field>
          ))}
        </div>
        {campusTimeNote && <p className="mt-1.5 text-ink-muted text-xs">{campusTimeNote}</p>}
      </fieldset>
      <Field label="Daily email about saved searches" hint={campusTimeNote}>
        <Select
          options={hourOptions}
          value={String(data.digest_hour)}
          onChange={(event) => void change({ digest_hour: Number(event.currentTarget.value) })}
        />
      </Field>
      <Switch
        label="Brief emails"
        hint="Emails only say that there is something new. They don’t quote messages."
        checked={data.digest_content === 'brief'}
        onChange={(event) => void change({ digest_content: event.target.checked ? 'brief' : 'full' })}
      />
    </div>
  );
}
