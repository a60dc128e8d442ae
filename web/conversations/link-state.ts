/** What a link to a conversation, or away from one, stores in its history entry. */
export interface ConversationLinkState {
  chosen: boolean;
  /**
   * Whether the list was displayed without an open conversation when the person clicked this row.
   * Going back then returns to the list.
   */
  fromList: boolean;
  /** Whether the person has just closed a conversation, so that no other one opens by itself. */
  isClosed?: boolean;
}

/**
 * Returns whether the person clicked the conversation in the list, instead of opening its URL or
 * being redirected to it.
 */
export const wasConversationClicked = (state: unknown): boolean =>
  (state as ConversationLinkState | null)?.chosen === true;

/** Returns whether the person has just closed a conversation. */
export const wasConversationClosed = (state: unknown): boolean =>
  (state as ConversationLinkState | null)?.isClosed === true;

/** Returns whether the previous history entry is the list of conversations. */
export const wasOpenedFromList = (state: unknown): boolean =>
  (state as ConversationLinkState | null)?.fromList === true;
