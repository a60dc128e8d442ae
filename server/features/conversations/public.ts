/** Public API of conversations for the rest of the server. */
export {
  type ConversationChange,
  createEventLineService,
  type EventLineService,
  type NewEventLine,
} from './event-line-service.ts';
export { createConversationPushSource } from './push-source.ts';
export { type ConversationService, createConversationService } from './service.ts';
export { createUnreadMailService, createUnreadMailSource, skipDueUnreadMail } from './unread-mail-service.ts';
