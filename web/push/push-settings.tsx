import { useMutation, useQuery } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import type { PushDevice } from '#contract/push.ts';
import { formatAge } from '#web/lib/format.ts';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { useCampus } from '#web/lib/use-campus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { LoadingOrFailed } from '#web/ui/loading-or-failed.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { toast } from '#web/ui/toast.ts';
import { HomeScreenSteps } from './home-screen-steps.tsx';
import { pushDevicesQuery } from './push-devices.ts';
import { getPushSupport } from './push-support.ts';
import { useTurnOnPushNotifications } from './use-turn-on-push-notifications.ts';

const loadPushSubscription = () => importLazyScript(() => import('./push-subscription.ts'));

/**
 * The settings of push notifications: a switch for this device, and a list of all devices, from which
 * others can be removed.
 */
export function PushSettings({ ownId }: { ownId: string }) {
  const { data, isError, refetch } = useQuery(pushDevicesQuery(ownId), queryClient);
  if (!data) {
    return (
      <LoadingOrFailed
        what="your devices"
        isError={isError}
        onRetry={() => void refetch()}
        className="h-24"
      />
    );
  }
  return (
    <div className="flex flex-col gap-4">
      <ThisDevice ownId={ownId} isOn={data.some((device) => device.is_current)} />
      {data.length > 0 && (
        <ul aria-label="Devices that get push notifications" className="flex flex-col gap-2">
          {data.map((device) => (
            <li key={device.id}>
              <DeviceRow ownId={ownId} device={device} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/**
 * A switch that turns on push notifications on this device or, if that is not possible, an explanation of
 * what to do.
 */
function ThisDevice({ ownId, isOn }: { ownId: string; isOn: boolean }) {
  const { siteName } = useCampus();
  const [isTurningOn, turnOn] = useTurnOnPushNotifications(ownId);
  const turningOff = useMutation(
    {
      mutationFn: async () => (await loadPushSubscription()).turnOffPushNotifications(ownId),
      onSuccess: () => toast.success('Notifications are off', 'This device gets none from now on.'),
      onError: (reason) => toast.error('Failed to turn off notifications', reason.message),
    },
    queryClient,
  );
  // This state is updated after each attempt to turn on notifications, because the person may have blocked
  // them when the browser asked for the permission.
  const [support, setSupport] = useState(getPushSupport);
  const isBusy = isTurningOn || turningOff.isPending;

  if (support === 'home_screen')
    return (
      <div className="flex flex-col gap-3">
        <p className="font-semibold">{`Add ${siteName} to your Home Screen to get notifications`}</p>
        <HomeScreenSteps siteName={siteName} />
      </div>
    );
  if (support === 'unsupported')
    return (
      <p className="text-ink-muted text-sm">{`This browser cannot show push notifications. Open ${siteName} in a current version of Chrome, Edge, Firefox or Safari, outside of private windows.`}</p>
    );
  if (support === 'blocked')
    return (
      <p className="text-ink-muted text-sm">{`Notifications from ${siteName} are blocked on this device. Allow them in the settings of your browser for this site, then reload this page.`}</p>
    );
  return (
    <Switch
      label="Push notifications on this device"
      hint={`Arrive even when ${siteName} is closed, until you log out.`}
      checked={isTurningOn ? true : turningOff.isPending ? false : isOn}
      aria-busy={isBusy}
      onChange={(event) => {
        if (isBusy) return;
        if (event.target.checked) void turnOn().then(() => setSupport(getPushSupport()));
        else turningOff.mutate();
      }}
    />
  );
}

function DeviceRow({ ownId, device }: { ownId: string; device: PushDevice }) {
  const removing = useMutation(
    {
      mutationFn: async () => (await loadPushSubscription()).removePushDevice(ownId, device.id),
      onSuccess: () => toast.success('Device removed', 'It gets no more push notifications.'),
      onError: (reason) => toast.error('Failed to remove device', reason.message),
    },
    queryClient,
  );
  const { device_name: name, created_at, last_used_at, is_current } = device;
  const now = new Date();
  // If the page has a switch for this device, the device needs no Remove button.
  const isRemovable = !is_current || getPushSupport() !== 'available';
  return (
    <div className="flex min-h-14 items-center gap-3 rounded-md border border-line px-3 py-1.5">
      <Smartphone aria-hidden="true" className="size-5 shrink-0 text-ink-muted" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2 font-semibold">
          <span className="wrap-anywhere">{name}</span>
          {is_current && <Badge tone="positive">This device</Badge>}
        </p>
        <p className="text-ink-muted text-sm">
          {last_used_at
            ? `Last notification: ${formatAge(last_used_at, now)} ago`
            : `Turned on: ${formatAge(created_at, now)} ago`}
        </p>
      </div>
      {isRemovable && (
        <Button
          size="sm"
          variant="secondary"
          loading={removing.isPending}
          aria-label={`Remove ${name}`}
          onClick={() => removing.mutate()}
        >
          Remove
        </Button>
      )}
    </div>
  );
}
