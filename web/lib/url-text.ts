import { normalizeCharacters } from '#contract/text.ts';

/**
 * Returns text from a URL with normalized characters, without control characters, with single spaces, and trimmed. A link from anyone
 * can contain any text, and these characters could change the text direction of a page or make its HTML invalid.
 */
export const cleanUrlText = (text: string): string =>
  normalizeCharacters(text)
    .replace(/[\s\u0085]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
