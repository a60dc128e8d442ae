import { useState } from 'react';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { toast } from '#web/ui/toast.ts';

/**
 * The result of an attempt to turn on push notifications. `refused` means that the person denied the
 * permission.
 */
export type TurnOnPushNotificationsResult = 'on' | 'refused' | 'failed';

/**
 * Returns whether push notifications are being turned on, and a function that turns them on and shows the
 * result in a toast.
 */
export const useTurnOnPushNotifications = (
  ownId: string,
): [boolean, () => Promise<TurnOnPushNotificationsResult>] => {
  const [isWorking, setIsWorking] = useState(false);
  const turnOn = async (): Promise<TurnOnPushNotificationsResult> => {
    setIsWorking(true);
    try {
      // Request the permission before anything else, because browsers show the permission prompt only
      // immediately after a tap.
      const permission = await Notification.requestPermission();
      if (permission !== 'granted') {
        if (permission === 'denied')
          toast.message(
            'Notifications are blocked',
            'Allow them for this site in the settings of your browser.',
          );
        else toast.message('Notifications stay off', 'You can turn them on later in Settings.');
        return 'refused';
      }
      await (await importLazyScript(() => import('./push-subscription.ts'))).turnOnPushNotifications(ownId);
      toast.success('Notifications are on', 'This device gets them from now on.');
      return 'on';
    } catch (reason) {
      toast.error('Failed to turn on notifications', (reason as Error).message);
      return 'failed';
    } finally {
      setIsWorking(false);
    }
  };
  return [isWorking, turnOn];
};
