import type { Message } from '#contract/conversations.ts';

/** Returns whether a message records a step of a deal; nobody wrote it. */
export const isEventLine = ({ kind }: Pick<Message, 'kind'>): boolean => kind === 'deal' || kind === 'system';

/** Returns the text of a message, or the sentence of an event line. */
export type FormatMessage = (message: Pick<Message, 'message_text' | 'data'>) => string;
