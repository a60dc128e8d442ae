const prefix = 'about ';

/**
 * Returns what drafts and outgoing messages of a conversation are filed under before it exists: it is created with its
 * first message.
 */
export const newConversationKey = (listingId: string): string => `${prefix}${listingId}`;

/** Whether a message is filed under a conversation that may not exist yet. */
export const isNewConversation = (key: string): boolean => key.startsWith(prefix);
