/** What the rest of the application may use of this feature, besides its components in routes. */
export { useConversationUpdates } from './use-conversation-updates.ts';
