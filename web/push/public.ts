/** The public API of push notifications for other features and the shell. */
export { MessagePushOffer } from './message-push-offer.tsx';
export { canOfferPushNotifications, offerPushNotifications } from './push-offer.ts';
export { PushOfferDialog } from './push-offer-dialog.tsx';
export { usePushUpdates } from './use-push-updates.ts';
