import { useCallback, useEffect, useEffectEvent, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { type MessageToPage, parseOpenedNotificationFragment } from '#web/lib/service-worker-messages.ts';

/**
 * Delay in milliseconds after an event before the displayed push notifications are checked and those that
 * have been read are closed. Further events restart the delay.
 */
const comparisonDelayMs = 500;

const isPushPermitted = (): boolean =>
  'Notification' in window && 'serviceWorker' in navigator && Notification.permission === 'granted';

// Ignore a failure, for example on an offline device: the next event or visit tries again.
const loadAndRun = (load: () => Promise<unknown>): void => void load().catch(() => undefined);

const closeReadPushNotifications = (): void => {
  if (isPushPermitted())
    loadAndRun(async () => (await import('./close-read-push-notifications.ts')).closeReadPushNotifications());
};
const reconcilePushSubscription = (ownId: string): void => {
  if (isPushPermitted())
    loadAndRun(async () => (await import('./push-subscription.ts')).reconcilePushSubscription(ownId));
};

/**
 * Handles push notifications in an open page: navigates to the page of a clicked notification, reports the
 * notification as opened, and keeps the push subscription up to date. Returns a function that closes
 * displayed notifications that have been read; call it whenever something may have been read on any device.
 * Loads scripts only in browsers with the permission to show notifications.
 */
export const usePushUpdates = (ownId: string, onOpened: (notificationId: string) => void): (() => void) => {
  const navigate = useNavigate();
  const location = useLocation();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const handleMessage = useEffectEvent((event: MessageEvent<MessageToPage>) => {
    if ('renewed' in event.data) return reconcilePushSubscription(ownId);
    if (!('open' in event.data)) return;
    event.ports[0]?.postMessage(true);
    void navigate(event.data.open);
  });
  useEffect(() => {
    const { serviceWorker } = navigator as Partial<Pick<Navigator, 'serviceWorker'>>;
    if (!serviceWorker) return;
    serviceWorker.addEventListener('message', handleMessage);
    return () => serviceWorker.removeEventListener('message', handleMessage);
  }, []);

  const openedId = parseOpenedNotificationFragment(location.hash);
  const reportOpened = useEffectEvent((id: string) => {
    onOpened(id);
    void navigate({ ...location, hash: '' }, { replace: true, preventScrollReset: true });
  });
  useEffect(() => {
    if (openedId) reportOpened(openedId);
  }, [openedId]);

  useEffect(() => {
    reconcilePushSubscription(ownId);
    return () => clearTimeout(timer.current);
  }, [ownId]);

  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(closeReadPushNotifications, comparisonDelayMs);
  }, []);
};
