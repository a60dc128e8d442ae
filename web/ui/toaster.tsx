import { lazy, Suspense, useEffect, useState } from 'react';
import { listenToToasts, type ToastRequest } from './toast.ts';

const LiveToasts = lazy(async () => ({ default: (await import('./live-toasts.tsx')).LiveToasts }));

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
