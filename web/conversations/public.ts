/** This feature's public API for other features and the shell; routes import its components directly. */
export { useConversationUpdates } from './use-conversation-updates.ts';
