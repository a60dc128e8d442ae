import { Clock } from 'lucide-react';
import { formatTimeLeft } from './time-left.ts';

/** The time left until an instant (ISO 8601). */
export function Countdown({ until, now }: { until: string; now: Date }) {
  return (
    <time dateTime={until} className="figures whitespace-nowrap">
      <Clock aria-hidden="true" className="mr-1 inline size-3.5 align-[-0.125em]" />
      <span>{formatTimeLeft(until, now)}</span>
    </time>
  );
}
