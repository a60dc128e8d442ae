/** Public API of push notifications for the rest of the server. */
export { createPushDelivery } from './delivery.ts';
export { createPushDispatch, skipDuePushes } from './dispatch.ts';
export { pushQueue } from './queue.ts';
export { createPushSender, type LocalPushServices } from './send-push.ts';
export { createUnreadPushChecker } from './shown.ts';
export type { PushSource } from './sources.ts';
export { createPushSubscriptionService } from './subscriptions.ts';
export { createVapidKeyReader } from './vapid-keys.ts';
