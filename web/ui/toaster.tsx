import { Suspense, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { lazyWithFallback } from './lazy-with-fallback.ts';
import { onToastRequest, type ToastRequest } from './toast.ts';

/** Duration of a plain toast in milliseconds. */
const plainToastMs = 8000;

/**
 * Shows the newest toast as plain text if the toast library cannot be loaded. That toast may report this very failure.
 */
function PlainToasts({ requests }: { requests: readonly ToastRequest[] }) {
  const [expiredCount, setExpiredCount] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setExpiredCount(requests.length), plainToastMs);
    return () => clearTimeout(timer);
  }, [requests.length]);
  return createPortal(
    <div role="status">
      {requests.length > expiredCount && (
        // The page reserves space for this bar, because only the library's toasts avoid covering controls.
        <p
          data-toast
          className="pointer-events-auto fixed inset-x-0 top-[calc(var(--offline-bar)-3rem)] z-60 flex h-12 items-center justify-center border-line border-b bg-raised px-4 text-center font-bold text-sm leading-tight"
        >
          {requests.at(-1)?.title}
        </p>
      )}
    </div>,
    document.body,
  );
}

const LiveToasts = lazyWithFallback(async () => (await import('./live-toasts.tsx')).LiveToasts, PlainToasts);

/**
 * Shows all requested toasts. Render it once, at the end of the page. The toast library is loaded with the first toast.
 */
export function Toaster() {
  const [pending, setPending] = useState<readonly ToastRequest[]>([]);

  useEffect(() => onToastRequest((request) => setPending((earlier) => [...earlier, request])), []);

  if (pending.length === 0) return null;
  return (
    <Suspense>
      <LiveToasts requests={pending} />
    </Suspense>
  );
}
