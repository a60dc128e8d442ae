import { Clock } from 'lucide-react';

/** Formats the time until an instant (ISO 8601) in its two largest units, as in '1 d 4 h left' or '12 min left'. */
export const formatTimeLeft = (until: string, now: Date): string => {
  const minutes = Math.floor((Date.parse(until) - now.getTime()) / 60_000);
  if (minutes < 0) return 'Time is up';
  if (minutes === 0) return 'Less than a minute left';
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  const parts = days > 0 ? [`${days} d`, hours > 0 && `${hours} h`] : [hours > 0 && `${hours} h`];
  const rest = minutes % 60;
  const shown = [...parts, days === 0 && rest > 0 && `${rest} min`].filter(Boolean);
  return `${shown.join(' ')} left`;
};

/** The time left until an instant (ISO 8601). */
export function Countdown({ until, now }: { until: string; now: Date }) {
  return (
    <time dateTime={until} className="figures whitespace-nowrap">
      <Clock aria-hidden="true" className="mr-1 inline size-3.5 align-[-0.125em]" />
      <span>{formatTimeLeft(until, now)}</span>
    </time>
  );
}
