export const millisecondsPerDay = 24 * 60 * 60 * 1000;

/** Returns the calendar day (YYYY-MM-DD) that is `days` days after the given one. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * millisecondsPerDay).toISOString().slice(0, 10);

/** Returns the number of calendar days (YYYY-MM-DD) from the first to the last one, including both. */
export const countDaysInclusive = (first: string, last: string): number =>
  Math.round((Date.parse(last) - Date.parse(first)) / millisecondsPerDay) + 1;
