/**
 * Returns a LIKE pattern that matches every text containing this one. The wildcards % and _ and the escape character \ are
 * escaped, so that a search treats them as ordinary characters.
 */
export const toContainsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
