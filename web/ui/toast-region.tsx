import { clsx } from 'clsx';
import { useEffect, useEffectEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Toaster as SonnerToaster, toast as sonner } from 'sonner';
import { Button } from './button.tsx';
import { sessionEndToastGroup, type ToastAction, type ToastRequest } from './toast.ts';
import { toFixedPositionStyle, useFreePosition } from './use-free-position.ts';

/** Maximum number of toasts visible at the same time. */
const maxVisibleToasts = 2;
/** Distance between two toasts in pixels. */
const toastGapPixels = 10;

interface OpenToast extends Pick<ToastRequest, 'kind' | 'title' | 'group'> {
  id: string | number;
  hasAction: boolean;
}

/**
 * Returns whether a new toast replaces an open one: one of the same group, one without an action that says the same, an
 * error that a later success would contradict, and an error whose cause is the end of the session.
 */
const isReplaced = (open: OpenToast, { kind, title, group }: ToastRequest): boolean =>
  (group !== undefined && open.group === group) ||
  (!open.hasAction && (open.title === title || (open.kind === 'error' && kind === 'success'))) ||
  (group === sessionEndToastGroup && open.kind === 'error' && !open.hasAction && open.group === undefined);

/**
 * Shows each requested toast once, in a polite live region that covers no control. The region is
 * rendered outside the page element, because an open dialog makes the page element inert.
 */
export function ToastRegion({ requests }: { requests: readonly ToastRequest[] }) {
  const shownCount = useRef(0);
  const openToasts = useRef<OpenToast[]>([]);
  const region = useRef<HTMLElement>(null);
  const actionToFocus = useRef<{ button: HTMLElement; from: Element }>(null);

  const dismissToasts = (dismissed: readonly OpenToast[]): void => {
    // Dismiss the toasts in a timer, because the toast library adds toasts in a timer and ignores the
    // dismissal of a toast that it has not added yet.
    for (const { id } of dismissed) setTimeout(() => sonner.dismiss(id));
    openToasts.current = openToasts.current.filter((it) => !dismissed.includes(it));
  };

  /** Dismisses older toasts until at most two toasts are left; those without an action go first. */
  const dismissSurplus = useEffectEvent((): void => {
    const older = openToasts.current.slice(0, -1).sort((a, b) => Number(a.hasAction) - Number(b.hasAction));
    dismissToasts(older.slice(0, Math.max(0, openToasts.current.length - maxVisibleToasts)));
  });

  /**
   * Dismisses all toasts without an action, except the newest toast. Returns whether any toast was
   * dismissed.
   */
  const dismissOlderPlainToasts = useEffectEvent((): boolean => {
    const older = openToasts.current.slice(0, -1).filter(({ hasAction }) => !hasAction);
    dismissToasts(older);
    return older.length > 0;
  });

  // Focuses the button of a toast, unless the person has moved the focus in the meantime. Called again
  // after every render, because the button cannot take the focus while the toasts are hidden; they become
  // visible once they have a position.
  const focusAction = (): void => {
    if (!actionToFocus.current) return;
    const { button, from } = actionToFocus.current;
    const isFocusUnmoved = [from, document.body, null].includes(document.activeElement);
    if (isFocusUnmoved) button.focus({ preventScroll: true });
    if (!isFocusUnmoved || document.activeElement === button) actionToFocus.current = null;
  };

  const renderAction = ({ label, onSelect, focusFrom }: ToastAction, dismiss: () => void) => (
    <Button
      variant="secondary"
      size="sm"
      className="-my-3 ml-auto shrink-0"
      ref={
        focusFrom
          ? (button) => {
              if (!button) return;
              actionToFocus.current = { button, from: focusFrom };
              focusAction();
              return () => {
                if (actionToFocus.current?.button === button) actionToFocus.current = null;
              };
            }
          : undefined
      }
      onKeyDown={(event) => {
        // Toasts are the last elements of the page, so Tab would leave the page. Instead, return the focus
        // to the element that had it before.
        if (event.key !== 'Tab' || event.shiftKey || !focusFrom?.isConnected) return;
        (focusFrom as HTMLElement).focus();
        // The previous element may refuse the focus, for example if it is under an open dialog. Then let
        // Tab continue.
        if (document.activeElement === focusFrom) event.preventDefault();
      }}
      onClick={() => {
        onSelect();
        dismiss();
      }}
    >
      {label}
    </Button>
  );

  const showToast = useEffectEvent((request: ToastRequest): void => {
    const { kind, title, description, action, group } = request;
    dismissToasts(openToasts.current.filter((it) => isReplaced(it, request)));
    const forget = () => {
      openToasts.current = openToasts.current.filter((it) => it.id !== id);
    };
    const id = sonner[kind](title, {
      description,
      onDismiss: forget,
      onAutoClose: forget,
      ...(action && {
        duration: Number.POSITIVE_INFINITY,
        action: renderAction(action, () => sonner.dismiss(id)),
      }),
    });
    if (action) setTimeout(() => sonner.dismiss(id), action.durationMs);
    openToasts.current.push({ id, kind, title, hasAction: action !== undefined, group });
    dismissSurplus();
  });

  useEffect(() => {
    for (const request of requests.slice(shownCount.current)) showToast(request);
    shownCount.current = requests.length;
  }, [requests]);

  const { position, isScrolling } = useFreePosition(
    region,
    () => {
      const toasts = [
        ...(region.current?.querySelectorAll<HTMLElement>(
          '[data-sonner-toast]:not([data-removed="true"]):not([data-swipe-out="true"])',
        ) ?? []),
      ];
      const [first] = toasts;
      if (!first) return undefined;
      const totalHeight = toasts.reduce(
        (sum, { offsetHeight }) => sum + offsetHeight + toastGapPixels,
        -toastGapPixels,
      );
      return { width: first.offsetWidth, height: totalHeight };
    },
    // If there is not enough room for all toasts, only the newest and those with an action are kept.
    dismissOlderPlainToasts,
  );

  useEffect(focusAction);

  return createPortal(
    <SonnerToaster
      ref={region}
      position="bottom-center"
      closeButton
      expand
      visibleToasts={maxVisibleToasts}
      duration={5000}
      gap={toastGapPixels}
      style={toFixedPositionStyle(position)}
      swipeDirections={['left', 'right', 'bottom']}
      className={clsx(
        'transition-opacity! duration-150',
        (isScrolling || !position) && 'invisible opacity-0',
      )}
      toastOptions={{
        unstyled: true,
        classNames: {
          // Dialogs disable pointer events on the body, so toasts enable them again. Toasts fade instead of sliding in,
          // because a sliding toast would cover controls on its way.
          toast:
            'pointer-events-auto! flex w-full items-start gap-3 rounded-lg border border-line bg-raised px-4 py-3.5 pr-11 font-sans text-ink text-sm shadow-lg transition-opacity! data-[removed=true]:hidden!',
          title: 'font-bold',
          description: 'text-ink-muted',
          icon: 'mt-0.5 [&_svg]:size-5',
          success: '[&_[data-icon]]:text-lawn-text',
          error: '[&_[data-icon]]:text-danger',
          closeButton:
            'absolute top-1 right-1 grid size-11 place-items-center rounded-full text-ink-muted hover:text-ink',
        },
      }}
    />,
    document.body,
  );
}
