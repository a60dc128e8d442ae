/** What the rest of the application may use of this feature, besides its components in routes. */
export { onSendFailed } from './outbox.ts';
export { resumeOutbox } from './sending.ts';
export { useUnreadTotal } from './unread.ts';
