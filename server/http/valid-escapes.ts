/**
 * Returns a request's URL with stray percent signs in its path escaped as %25. A percent sign is
 * stray when it does not begin a valid escape sequence (RFC 3986, section 2.1). The router cannot
 * process a malformed path; the escaped path is valid and simply does not exist.
 */
export const escapeStrayPercentSigns = (url: string): string => {
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
