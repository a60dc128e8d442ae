export interface ToastRequest {
  kind: 'success' | 'error' | 'message';
  title: string;
  description?: string | undefined;
}

type Listener = (request: ToastRequest) => void;

let listener: Listener | undefined;
const waiting: ToastRequest[] = [];

function show(request: ToastRequest): void {
  if (listener) listener(request);
  else waiting.push(request);
}

/** Short news of what an action did. Callable from anywhere in the browser; the Toaster shows it. */
export const toast = {
  success: (title: string, description?: string) => show({ kind: 'success', title, description }),
  error: (title: string, description?: string) => show({ kind: 'error', title, description }),
  message: (title: string, description?: string) => show({ kind: 'message', title, description }),
};

/** Hands every toast to `next`, those asked for earlier first. Returns how to stop. */
export function listenToToasts(next: Listener): () => void {
  listener = next;
  for (const request of waiting.splice(0)) next(request);
  return () => {
    if (listener === next) listener = undefined;
  };
}
