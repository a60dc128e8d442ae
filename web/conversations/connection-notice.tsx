import { WifiOff } from 'lucide-react';
import { useReach } from '#web/lib/reach.ts';

const sentences = {
  offline: 'You are offline. What you send now goes out when you are back.',
  lost: 'Connection lost. Reconnecting…',
};

/** Says when the server is out of reach, and nothing otherwise. */
export function ConnectionNotice() {
  const reach = useReach();
  return (
    <div role="status">
      {reach !== 'live' && (
        <p className="flex items-center justify-center gap-2 bg-gold-soft px-4 py-1.5 text-gold-text text-sm">
          <WifiOff aria-hidden="true" className="size-4 shrink-0" />
          {sentences[reach]}
        </p>
      )}
    </div>
  );
}
