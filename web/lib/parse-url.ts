/** Returns the parsed URL, or undefined when the text is not a valid URL. `URL.parse` is newer than our oldest browsers. */
export const parseUrl = (text: string, base?: string): URL | undefined => {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
};
