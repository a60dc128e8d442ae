import { WifiOff } from 'lucide-react';
import { type Reachability, useReachability } from '#web/lib/reachability.ts';
import { useOutgoingMessageCount } from './outbox.ts';

const formatConnectionNotice = (reach: Exclude<Reachability, 'live'>, waiting: number): string => {
  if (reach === 'lost') return 'Connection lost. Reconnecting…';
  if (waiting === 0) return 'What you send now goes out when you are back online.';
  return `${waiting === 1 ? '1 message goes' : `${waiting} messages go`} out when you are back online.`;
};

/** Says that the server is unreachable or, if the device is offline, that messages will be sent later. */
export function ConnectionNotice() {
  const reach = useReachability();
  const waiting = useOutgoingMessageCount();
  return (
    <div role="status">
      {reach !== 'live' && (
        <p className="flex items-center justify-center gap-2 bg-gold-soft px-4 py-1.5 text-gold-text text-sm">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          <span>{formatConnectionNotice(reach, waiting)}</span>
        </p>
      )}
    </div>
  );
}
