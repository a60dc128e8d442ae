import type { Message } from '#contract/conversations.ts';

/** Returns whether a message is an event line, which records a step of a deal or a change to its listing. */
export const isEventLine = ({ kind }: Pick<Message, 'kind'>): boolean => kind === 'deal' || kind === 'system';

/** Returns the text of a message, or the sentence of an event line. */
export type FormatMessage = (message: Pick<Message, 'message_text' | 'data'>) => string;
