export interface ToastRequest {
  kind: 'success' | 'error' | 'message';
  title: string;
  description?: string | undefined;
}

type Listener = (request: ToastRequest) => void;

let listener: Listener | undefined;
const queuedRequests: ToastRequest[] = [];

function deliverToast(request: ToastRequest): void {
  if (listener) listener(request);
  else queuedRequests.push(request);
}

/** Functions that request a toast, a short message about the result of an action. The Toaster component shows it. */
export const toast = {
  success: (title: string, description?: string) => deliverToast({ kind: 'success', title, description }),
  error: (title: string, description?: string) => deliverToast({ kind: 'error', title, description }),
  message: (title: string, description?: string) => deliverToast({ kind: 'message', title, description }),
};

/** Calls `next` with every requested toast, beginning with the queued ones. Returns an unsubscribe function. */
export function onToastRequest(next: Listener): () => void {
  listener = next;
  for (const request of queuedRequests.splice(0)) next(request);
  return () => {
    if (listener === next) listener = undefined;
  };
}
