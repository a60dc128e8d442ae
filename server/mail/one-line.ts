import { withoutInvisible } from '#contract/invisible.ts';

/**
 * Returns the text as one line, as a subject or a quotation needs it. Texts that were stored before invisible characters
 * were removed may still hold direction controls, which would turn around the words next to them.
 */
export const oneLine = (text: string): string => withoutInvisible(text).replace(/\s+/g, ' ').trim();
