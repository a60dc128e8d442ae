import type { Campus, CampusTimes } from './campus.ts';
import { getDateFormat } from './date-format.ts';

/** Returns the end of a suspension in campus time, as in 'January 5, 2027 at 3:15 PM'. */
export const formatSuspensionEnd = (until: Date, { timezone, locale }: CampusTimes): string =>
  getDateFormat(locale, { timeZone: timezone, dateStyle: 'long', timeStyle: 'short' }).format(until);

/** Returns the message of the error `account_suspended` for a suspension that ends by itself. */
export const formatSuspendedUntilMessage = (until: Date, campus: Campus): string =>
  `This account is suspended until ${formatSuspensionEnd(until, campus)} (${campus.shortName} time). Write to ${campus.supportEmail} if you think this is wrong.`;
