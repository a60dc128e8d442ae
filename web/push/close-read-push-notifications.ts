import { calls } from '#contract/calls.ts';
import { maxDisplayedPushNotifications } from '#contract/push.ts';
import { request } from '#web/lib/api.ts';
import type { PushNotificationData } from '#web/lib/service-worker-messages.ts';

/**
 * Closes those push notifications displayed by this browser whose content the person has read, here or on
 * another device.
 */
export const closeReadPushNotifications = async (): Promise<void> => {
  const registration = await navigator.serviceWorker.getRegistration();
  const shown = ((await registration?.getNotifications()) ?? []).flatMap((notification) => {
    const { subject } = (notification.data ?? {}) as Partial<PushNotificationData>;
    return subject ? [{ notification, subject }] : [];
  });
  const asked = shown.slice(0, maxDisplayedPushNotifications);
  if (asked.length === 0) return;
  const { is_unread } = await request(calls.checkShownPushes, {
    body: { subjects: asked.map(({ subject }) => subject) },
  });
  for (const [index, { notification }] of asked.entries()) if (!is_unread[index]) notification.close();
};
