/** What other folders may use of conversations. */
export { type Conversations, createConversations } from './service.ts';
export { createUnreadMail, createUnreadMailSource, markAllAsNotified } from './unread-mail-service.ts';
