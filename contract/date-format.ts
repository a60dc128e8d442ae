const formats = new Map<string, Intl.DateTimeFormat>();

const getFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = JSON.stringify([locale, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, format);
  return format;
};

const englishLocales = new Map<string, string>();

/**
 * Returns the English in which texts contain dates of a locale: with the order of day and month and the clock of 12 or 24
 * hours that are usual there, because the words around a date are English.
 */
const toEnglish = (locale: string): string => {
  const known = englishLocales.get(locale);
  if (known) return known;
  const native = getFormat(locale, { day: 'numeric', month: 'numeric', hour: 'numeric' });
  const first = native.formatToParts(0).find(({ type }) => type === 'day' || type === 'month')?.type;
  const { hourCycle } = native.resolvedOptions();
  const english =
    new Intl.Locale(locale).language === 'en'
      ? locale
      : `${first === 'day' ? 'en-GB' : 'en-US'}-u-hc-${hourCycle ?? 'h23'}`;
  englishLocales.set(locale, english);
  return english;
};

/**
 * Returns a format for dates and times in English sentences, as they are usual in the locale of the campus. It is cached,
 * because creating a format takes far longer than formatting a date.
 */
export const getDateFormat = (locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const english = toEnglish(locale);
  // Otherwise an hour of one digit is written as in '8:30' or as in '08:30', depending on what stands beside it.
  const hasTwoDigitHours = options.hour === 'numeric' && english.endsWith('h23');
  return getFormat(english, hasTwoDigitHours ? { ...options, hour: '2-digit' } : options);
};

/** Returns a format for dates and times that a program reads: the same on every campus, with days as YYYY-MM-DD. */
export const getMachineFormat = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  getFormat('en-CA', { ...options, ...(options.dateStyle ? {} : { hourCycle: 'h23' }) });
