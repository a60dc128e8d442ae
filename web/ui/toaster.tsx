import { lazy, Suspense, useEffect, useState } from 'react';
import { listenToToasts, type ToastRequest } from './toast.ts';

/** The newest news without its dress, where the toast library is out of reach: it may say just that. */
function PlainToasts({ requests }: { requests: readonly ToastRequest[] }) {
  return (
    <p role="status" className="fixed inset-x-4 bottom-4 rounded-lg border border-line bg-raised p-4">
      {requests.at(-1)?.title}
    </p>
  );
}

const LiveToasts = lazy(async () => {
  try {
    return { default: (await import('./live-toasts.tsx')).LiveToasts };
  } catch {
    return { default: PlainToasts };
  }
});

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
