/**
 * Returns a request's address with every percent sign of its path that begins no valid escape escaped itself, so that
 * a malformed path is one that names nothing (RFC 3986, section 2.1) instead of one that cannot be routed.
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
