import { Suspense, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { lazyWithFallback } from './lazy-with-fallback.ts';
import { onToastRequest, type ToastRequest } from './toast.ts';

/** How long a toast stays, in milliseconds. */
const plainToastMs = 8000;

/** The newest news without its dress, where the toast library is out of reach: it may say just that. */
function PlainToasts({ requests }: { requests: readonly ToastRequest[] }) {
  const [expiredCount, setExpiredCount] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setExpiredCount(requests.length), plainToastMs);
    return () => clearTimeout(timer);
  }, [requests.length]);
  return createPortal(
    <div role="status">
      {requests.length > expiredCount && (
        // A bar that the page makes room for: without the library nothing finds a place that covers no control.
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

/** Place once, at the end of the page. The toast library is loaded with the first toast. */
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
