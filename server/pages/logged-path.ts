const maxLoggedPathLength = 500;

/**
 * Returns a path as it is logged: shortened, and without the query, the router's `.data` suffix,
 * and the token of a link to reset a password, unsubscribe or appeal.
 */
export const toLoggedPath = (url: string): string =>
  url
    .replace(/\?.*$/s, '')
    .replace(/(?:\/_)?\.data$/s, '')
    .slice(0, maxLoggedPathLength)
    .replace(/^\/(reset-password|unsubscribe|appeal)\/.+/s, '/$1/...');
