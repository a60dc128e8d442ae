import { removeInvisibleCharacters } from '#contract/invisible-characters.ts';

/**
 * Returns text from a URL without invisible and control characters, with single spaces, and trimmed. A link from anyone
 * can contain any text, and these characters could change the text direction of a page or make its HTML invalid.
 */
export const cleanUrlText = (text: string): string =>
  removeInvisibleCharacters(text)
    .replace(/[\s\u0085]+/g, ' ')
    .replace(/\p{Cc}/gu, '')
    .trim();
