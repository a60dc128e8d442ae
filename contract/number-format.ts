const formats = new Map<string, Intl.NumberFormat>();

/** Returns an Intl.NumberFormat with these options from a cache, because creating one takes far longer than using it. */
export const getNumberFormat = (
  locale: string,
  options: Intl.NumberFormatOptions = {},
): Intl.NumberFormat => {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, options);
  formats.set(key, format);
  return format;
};

/** Returns a whole number of percent as its locale writes it: "10%" in en-US, "10 %" in de-DE. */
export const formatPercent = ({ locale }: { locale: string }, percent: number): string =>
  getNumberFormat(locale, { style: 'percent' }).format(percent / 100);
