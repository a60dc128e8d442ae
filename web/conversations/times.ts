const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'long', month: 'long', day: 'numeric' });
const dated = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' });
const short = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const shortDated = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', year: '2-digit' });

/** Calendar days between two instants where the reader is. */
const daysBetween = (earlier: Date, later: Date): number =>
  Math.round(
    (new Date(later).setHours(12, 0, 0, 0) - new Date(earlier).setHours(12, 0, 0, 0)) / (24 * 60 * 60 * 1000),
  );

/** The time of a message (§2): hour and two-digit minute. */
export const messageTime = (instant: string): string => clock.format(new Date(instant));

/** A name for a day that two messages share or do not. */
export const dayOf = (instant: string): string => new Date(instant).toDateString();

/** The line between the days of a thread. */
export const dayLabel = (instant: string, now: Date): string => {
  const day = new Date(instant);
  const ago = daysBetween(day, now);
  if (ago === 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  return day.getFullYear() === now.getFullYear() ? weekday.format(day) : dated.format(day);
};

/** The time of the last message in a row of the list: the clock today, otherwise the day. */
export const rowTime = (instant: string, now: Date): string => {
  const day = new Date(instant);
  const ago = daysBetween(day, now);
  if (ago === 0) return clock.format(day);
  if (ago === 1) return 'Yesterday';
  return (day.getFullYear() === now.getFullYear() ? short : shortDated).format(day);
};
