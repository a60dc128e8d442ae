import { useEffect, useRef } from 'react';
import { Toaster as SonnerToaster, toast as sonner } from 'sonner';
import type { ToastRequest } from './toast.ts';

/** Shows each request once, in a polite live region. */
export function LiveToasts({ requests }: { requests: readonly ToastRequest[] }) {
  const shown = useRef(0);

  useEffect(() => {
    for (const { kind, title, description } of requests.slice(shown.current)) {
      sonner[kind](title, description ? { description } : {});
    }
    shown.current = requests.length;
  }, [requests]);

  return (
    <SonnerToaster
      position="bottom-center"
      closeButton
      expand
      visibleToasts={3}
      duration={5000}
      gap={10}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-full items-start gap-3 rounded-lg border border-line bg-raised px-4 py-3.5 pr-11 font-sans text-ink text-sm shadow-lg',
          title: 'font-bold',
          description: 'text-ink-muted',
          icon: 'mt-0.5 [&_svg]:size-5',
          success: '[&_[data-icon]]:text-lawn-text',
          error: '[&_[data-icon]]:text-danger',
          closeButton:
            'absolute top-1 right-1 grid size-11 place-items-center rounded-full text-ink-muted hover:text-ink',
        },
      }}
    />
  );
}
