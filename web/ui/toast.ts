export type ToastKind = 'success' | 'error' | 'message';

/** A button in a toast, such as Undo. */
export interface ToastAction {
  label: string;
  onSelect: () => void;
  /** Milliseconds until the toast disappears, even while the pointer rests on it. */
  durationMs: number;
  /**
   * The element that had the focus when the person started the action. The toast's button takes the focus
   * only if this element still has the focus, or if no element has it, for example because this element was
   * removed.
   */
  focusFrom?: Element | undefined;
  /** The group of a toast with this action, unless its `group` argument is given. */
  group?: string | undefined;
}

export interface ToastRequest {
  kind: ToastKind;
  title: string;
  description?: string | undefined;
  action?: ToastAction | undefined;
  /** A toast replaces open toasts of the same group. See `ToastRegion` for those without a group. */
  group?: string | undefined;
}

/** The group of toasts that say what to do after the session has ended. */
export const sessionEndToastGroup = 'session end';
/** Errors without an action within this time (ms) of such a toast have the same cause, so they are not shown. */
const sameEventMs = 1000;

type ToastListener = (request: ToastRequest) => void;

let toastListener: ToastListener | undefined;
const queuedRequests: ToastRequest[] = [];

let sessionEndedAt = Number.NEGATIVE_INFINITY;

function deliverToast(request: ToastRequest): void {
  const { kind, group, action } = request;
  if (group === sessionEndToastGroup) sessionEndedAt = performance.now();
  else if (kind === 'error' && !action && performance.now() - sessionEndedAt < sameEventMs) return;
  if (toastListener) toastListener(request);
  else queuedRequests.push(request);
}

const requestToast =
  (kind: ToastKind) =>
  (title: string, description?: string, action?: ToastAction, group = action?.group): void =>
    deliverToast({ kind, title, description, action, group });

/** Functions that request a toast, a short message about the result of an action. The Toaster component shows it. */
export const toast = {
  success: requestToast('success'),
  error: requestToast('error'),
  message: requestToast('message'),
};

/** Calls `next` with every requested toast, beginning with the queued ones. Returns an unsubscribe function. */
export function onToastRequest(next: ToastListener): () => void {
  toastListener = next;
  for (const request of queuedRequests.splice(0)) next(request);
  return () => {
    if (toastListener !== next) return;
    toastListener = undefined;
    sessionEndedAt = Number.NEGATIVE_INFINITY;
  };
}
