const timeFormat = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' });
const weekdayDateFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'long',
  month: 'long',
  day: 'numeric',
});
const longDateFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', year: 'numeric' });
const shortDateFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' });
const shortDateWithYearFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: '2-digit',
});

/** Returns the number of calendar days between two instants in the browser's time zone. */
const daysBetween = (earlier: Date, later: Date): number =>
  Math.round(
    (new Date(later).setHours(12, 0, 0, 0) - new Date(earlier).setHours(12, 0, 0, 0)) / (24 * 60 * 60 * 1000),
  );

/** Formats the time of a message as hour and two-digit minute (specification §2). */
export const formatMessageTime = (instant: string): string => timeFormat.format(new Date(instant));

/** Returns a key that is equal for all instants of the same day in the browser's time zone. */
export const toDayKey = (instant: string): string => new Date(instant).toDateString();

/** Formats the day of a divider in a thread: 'Today', 'Yesterday' or the date. */
export const formatDayLabel = (instant: string, now: Date): string => {
  const day = new Date(instant);
  const ago = daysBetween(day, now);
  if (ago === 0) return 'Today';
  if (ago === 1) return 'Yesterday';
  return day.getFullYear() === now.getFullYear() ? weekdayDateFormat.format(day) : longDateFormat.format(day);
};

/** Formats the time of a conversation's last message for the list: the time of day today, otherwise the day. */
export const formatConversationTime = (instant: string, now: Date): string => {
  const day = new Date(instant);
  const ago = daysBetween(day, now);
  if (ago === 0) return timeFormat.format(day);
  if (ago === 1) return 'Yesterday';
  return (day.getFullYear() === now.getFullYear() ? shortDateFormat : shortDateWithYearFormat).format(day);
};
