import { useState } from 'react';
import { importLazyScript } from '#web/lib/lazy-script.ts';
import { toast } from '#web/ui/toast.ts';

/** What became of an attempt to turn push notifications on: the person may refuse the permission, or the attempt fails. */
export type TurnOnResult = 'on' | 'refused' | 'failed';

/** Returns whether push notifications are being turned on, and the function that does it; it reports the result. */
export const useTurnOnPushes = (ownId: string): [boolean, () => Promise<TurnOnResult>] => {
  const [isWorking, setIsWorking] = useState(false);
  const turnOn = async (): Promise<TurnOnResult> => {
    setIsWorking(true);
    try {
      // First of all, because browsers only ask right after a tap.
      const permission = await Notification.requestPermission();
      if (permission !== 'granted') {
        toast.message('Notifications stay off', 'You can turn them on later in Settings.');
        return 'refused';
      }
      await (await importLazyScript(() => import('./push-device.ts'))).turnOnPushes(ownId);
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
