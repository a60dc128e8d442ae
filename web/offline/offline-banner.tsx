import { Wifi, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useOnline } from '#web/lib/use-online.ts';

/** Duration of the "back online" message in milliseconds. */
const backOnlineNoticeMs = 4000;

/** A bar above the header, shown while the device is offline and for a moment after it is online again. */
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
        // app.css reserves space for the bar when an element has the attribute `data-offline-bar`.
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
