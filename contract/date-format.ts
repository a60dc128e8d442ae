const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns an Intl.DateTimeFormat with these options from a cache, because creating a format takes far longer
 * than formatting a date.
 */
export const getDateFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
};
