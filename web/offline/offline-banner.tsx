import { Wifi, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useOnline } from '#web/lib/use-online.ts';

/** How long "back online" stays visible, in milliseconds. */
const backOnlineNoticeMs = 4000;

/** A bar above the header while there is no connection, and for a moment after it returns. */
export function OfflineBanner() {
  const online = useOnline();
  const [isVisible, setIsVisible] = useState(!online);

  useEffect(() => {
    if (!online) setIsVisible(true);
    const timer = online ? setTimeout(() => setIsVisible(false), backOnlineNoticeMs) : undefined;
    return () => clearTimeout(timer);
  }, [online]);

  const Icon = online ? Wifi : WifiOff;
  return (
    <div role="status">
      {isVisible && (
        // The style sheet reserves space for it by this id.
        <p
          data-offline-bar
          className={`fixed inset-x-0 top-0 z-50 flex h-10 items-center justify-center gap-2 px-4 font-semibold text-xs md:text-sm ${
            online ? 'bg-lawn-soft text-lawn-text' : 'bg-gold-soft text-gold-text'
          }`}
        >
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          {online ? 'You are back online.' : 'You are offline. This may be out of date.'}
        </p>
      )}
    </div>
  );
}
