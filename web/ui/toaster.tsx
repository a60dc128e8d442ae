import { Suspense, useEffect, useState } from 'react';
import { lazyOr } from './lazy-or.ts';
import { listenToToasts, type ToastRequest } from './toast.ts';

/** How long plain news stays, in milliseconds. */
const plainNewsMs = 8000;

/** The newest news without its dress, where the toast library is out of reach: it may say just that. */
function PlainToasts({ requests }: { requests: readonly ToastRequest[] }) {
  const [old, setOld] = useState(0);
  useEffect(() => {
    const timer = setTimeout(() => setOld(requests.length), plainNewsMs);
    return () => clearTimeout(timer);
  }, [requests.length]);
  return (
    <div role="status">
      {requests.length > old && (
        <p className="fixed inset-x-4 bottom-4 z-60 mx-auto max-w-sm rounded-lg border border-line bg-raised px-4 py-3.5 font-bold text-sm shadow-lg">
          {requests.at(-1)?.title}
        </p>
      )}
    </div>
  );
}

const LiveToasts = lazyOr(async () => (await import('./live-toasts.tsx')).LiveToasts, PlainToasts);

/** Place once, at the end of the page. The toast library is loaded with the first toast. */
export function Toaster() {
  const [pending, setPending] = useState<readonly ToastRequest[]>([]);

  useEffect(() => listenToToasts((request) => setPending((earlier) => [...earlier, request])), []);

  if (pending.length === 0) return null;
  return (
    <Suspense>
      <LiveToasts requests={pending} />
    </Suspense>
  );
}
