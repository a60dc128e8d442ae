import type { Campus } from '#contract/campus.ts';

type Zone = Pick<Campus, 'timezone'>;

// Rendered on the server and again in the browser: zone and language never come from either.
const written = (instant: Date, timeZone: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat('en-US', { timeZone, ...options }).format(instant);

// A calendar day has no zone: it is read and written in the same one.
const dayOf = (day: string): Date => new Date(`${day}T00:00:00Z`);

/** A calendar day (YYYY-MM-DD) in full, as in 'Monday, January 5, 2025'. */
export const longDay = (day: string): string =>
  written(dayOf(day), 'UTC', { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });

/** The same for a card, as in 'Mon, Jan 5, 2025'. */
export const shortDay = (day: string): string =>
  written(dayOf(day), 'UTC', { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });

/** The campus day of an instant (ISO 8601), as in 'January 5, 2025'. */
export const dateOf = (instant: string, { timezone }: Zone): string =>
  written(new Date(instant), timezone, { month: 'long', day: 'numeric', year: 'numeric' });

/** A count with thousands set apart, as in '10,000'; beyond `exact` as in '10,000+'. */
export const countText = (count: number, exact = Number.POSITIVE_INFINITY): string =>
  count > exact ? `${exact.toLocaleString('en-US')}+` : count.toLocaleString('en-US');
