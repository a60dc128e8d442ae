import { Clock } from 'lucide-react';
import { formatTimeLeft } from './time-left.ts';

/** The time left until an instant (ISO 8601). */
export function Countdown({ until, now }: { until: string; now: Date }) {
  return (
    <time dateTime={until} className="figures inline-flex items-center gap-1 whitespace-nowrap">
      <Clock aria-hidden="true" className="size-3.5" />
      {formatTimeLeft(until, now)}
    </time>
  );
}
