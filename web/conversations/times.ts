const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
const dated = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' });
const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const shortDated = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: '2-digit' });

/** Returns the number of calendar days between two instants in the browser's time zone. */
const daysBetween = (earlier: Date, later: Date): number =>
  Math.round(
    (new Date(later).setHours(12, 0, 0, 0) - new Date(earlier).setHours(12, 0, 0, 0)) / (24 * 60 * 60 * 1000),
  );

/** Formats the time of a message as hour and two-digit minute (specification §2). */
export const messageTime = (instant: string): string => clock.format(new Date(instant));

/** Returns a text that is equal for two instants of the same day. */
export const dayOf = (instant: string): string => new Date(instant).toDateString();

/** Formats the day of a divider in a thread: 'Today', 'Yesterday' or the date. */
export const dayLabel = (instant: string, now: Date): string => {
  const day = new Date(instant);
  const ago = daysBetween(day, now);
  if (ago === 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  return day.getFullYear() === now.getFullYear() ? weekday.format(day) : dated.format(day);
};

/** Formats the time of a conversation's last message for the list: the time of day today, otherwise the day. */
export const rowTime = (instant: string, now: Date): string => {
  const day = new Date(instant);
  const ago = daysBetween(day, now);
  if (ago === 0) return clock.format(day);
  if (ago === 1) return 'Yesterday';
  return (day.getFullYear() === now.getFullYear() ? short : shortDated).format(day);
};
