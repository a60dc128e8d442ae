import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { lazyComponent } from './lazy-component.tsx';
import { onToastRequest, type ToastRequest } from './toast.ts';

/** Duration of a plain toast in milliseconds. */
const plainToastDurationMs = 8000;

/**
 * The fallback if the toast library cannot be loaded: displays the newest toast as plain text. Often, this
 * toast reports that some script could not be loaded, so the toast library may not be loadable either.
 */
function PlainTextToaster({ requests }: { requests: readonly ToastRequest[] }) {
  const [expiredCount, setExpiredCount] = useState(0);
  const newest = requests.at(-1);
  const expire = () => setExpiredCount(requests.length);
  useEffect(() => {
    const timer = setTimeout(
      () => setExpiredCount(requests.length),
      requests.at(-1)?.action?.durationMs ?? plainToastDurationMs,
    );
    return () => clearTimeout(timer);
  }, [requests]);
  return createPortal(
    <div role="status">
      {newest && requests.length > expiredCount && (
        // Only the library's toasts can avoid covering controls, so the page reserves space for this
        // plain-text bar.
        <p
          data-toast
          className="pointer-events-auto fixed inset-x-0 top-[calc(var(--offline-bar)-3rem)] z-60 flex h-[3rem] items-center justify-center gap-2 border-line border-b bg-raised px-4 text-center font-bold text-sm leading-tight"
        >
          <span>{newest.title}</span>
          {newest.action && (
            <button
              type="button"
              className="min-h-11 px-2 underline"
              onClick={() => {
                newest.action?.onSelect();
                expire();
              }}
            >
              {newest.action.label}
            </button>
          )}
        </p>
      )}
    </div>,
    document.body,
  );
}

const ToastRegion = lazyComponent(async () => (await import('./toast-region.tsx')).ToastRegion, {
  failed: PlainTextToaster,
});

/**
 * Shows all requested toasts. Render it once, at the end of the page. The toast library is loaded with the first toast.
 */
export function Toaster() {
  const [pending, setPending] = useState<readonly ToastRequest[]>([]);

  useEffect(() => onToastRequest((request) => setPending((earlier) => [...earlier, request])), []);

  if (pending.length === 0) return null;
  return <ToastRegion requests={pending} />;
}
