/**
 * The public API of the conversations feature for other features and the shell. Route modules may
 * also import the feature's components directly.
 */
export { hasMessagesOfLostSession } from './outbox-copy.ts';
export { useConversationUpdates } from './use-conversation-updates.ts';
