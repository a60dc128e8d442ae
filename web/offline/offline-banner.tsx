import { Wifi, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useOnline } from '#web/lib/use-online.ts';
import { useOutdatedPage } from './use-outdated-page.ts';

/** Duration of the "back online" message in milliseconds. */
const backOnlineNoticeMs = 4000;

/**
 * A bar above the header, shown while the device is offline and for a moment after it is online again, and
 * while the page is an old one from the cache.
 */
export function OfflineBanner() {
  const online = useOnline();
  const isOutdated = useOutdatedPage();
  const [isConnectionVisible, setIsConnectionVisible] = useState(!online);

  useEffect(() => {
    if (!online) setIsConnectionVisible(true);
    const timer = online ? setTimeout(() => setIsConnectionVisible(false), backOnlineNoticeMs) : undefined;
    return () => clearTimeout(timer);
  }, [online]);

  const isBackOnline = online && isConnectionVisible;
  const Icon = isBackOnline ? Wifi : WifiOff;
  return (
    <div role="status">
      {(isConnectionVisible || isOutdated) && (
        // app.css reserves space for the bar when an element has the attribute `data-offline-bar`.
        <p
          data-offline-bar
          className={`fixed inset-x-0 top-0 z-50 flex h-[2.5rem] items-center justify-center gap-2 px-4 font-semibold text-xs leading-tight md:text-sm ${
            isBackOnline ? 'bg-lawn-soft text-lawn-text' : 'bg-gold-soft text-gold-text'
          }`}
        >
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          <span>
            {isBackOnline
              ? 'You are back online.'
              : `${online ? '' : 'You are offline. '}This may be out of date.`}
          </span>
          {online && !isBackOnline && (
            <button
              type="button"
              className="h-11 px-3 underline underline-offset-2"
              onClick={() => window.location.reload()}
            >
              Reload
            </button>
          )}
        </p>
      )}
    </div>
  );
}
