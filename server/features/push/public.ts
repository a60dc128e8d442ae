/** Public API of push notifications for the rest of the server. */
export { createPushDelivery } from './delivery.ts';
export { createPushDispatch, skipDuePushes } from './dispatch.ts';
export { pushQueue } from './queue.ts';
export { createPushSender, type LocalPushServices } from './send-push.ts';
export type { PushSource } from './sources.ts';
export { removeAllPushSubscriptions } from './subscription-repository.ts';
export { createPushSubscriptionService } from './subscriptions.ts';
export { createUnreadPushChecker } from './unread-push-check.ts';
export { createVapidKeyReader } from './vapid-keys.ts';
