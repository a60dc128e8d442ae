/**
 * Returns a request's URL in which each percent sign of the path that does not begin a valid escape sequence (RFC 3986,
 * section 2.1) is escaped as %25. A malformed path thus becomes a valid path that does not exist, instead of one that
 * the router cannot process.
 */
export const withValidEscapes = (url: string): string => {
  if (!url.includes('%')) return url;
  const [path = '', ...query] = url.split('?');
  const valid = path.replace(/(?:%[\da-f]{2})+|%/gi, (escapes) => {
    try {
      decodeURIComponent(escapes);
      return escapes;
    } catch {
      return escapes.replaceAll('%', '%25');
    }
  });
  return [valid, ...query].join('?');
};
