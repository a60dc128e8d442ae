/** Public API of conversations for other features and the shell. */
export { type Conversations, createConversations } from './service.ts';
export { createUnreadMail, createUnreadMailSource, markAllAsNotified } from './unread-mail-service.ts';
