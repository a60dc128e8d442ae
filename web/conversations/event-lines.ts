import type { Message } from '#contract/conversations.ts';

/** Returns whether a message is an event line, which records a transition of a deal or a change to its listing. */
export const isEventLine = ({ kind }: Pick<Message, 'kind'>): boolean => kind === 'deal' || kind === 'system';

/**
 * A function that returns the text of a message or, for an event line, the sentence that describes the
 * event.
 */
export type MessageFormatter = (message: Pick<Message, 'message_text' | 'data'>) => string;
