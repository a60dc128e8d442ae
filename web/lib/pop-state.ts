import { use } from 'react';

let firstPopStateHandler: ((event: PopStateEvent) => void) | undefined;
let hasStarted = false;
let isReloading = false;
const neverSettled = new Promise<never>(() => {});

/** Records that the application has started. From now on, the router handles Back and Forward. */
export const recordApplicationStart = (): void => {
  hasStarted = true;
};

/**
 * Returns whether an early Back or Forward is reloading the page. Moving through the history would stop the reload, and leave
 * the application of the previous URL under the new one.
 */
export const isReloadingAfterPopState = (): boolean => isReloading;

/**
 * Sets the function that handles Back and Forward before the router does. The function may stop the
 * event, so that the router does not receive it.
 */
export const setPopStateInterceptor = (handle: (event: PopStateEvent) => void): void => {
  firstPopStateHandler = handle;
};

/**
 * Returns whether Back or Forward has changed the URL since the server sent this document. If so, the
 * application must not start in this document, because the document's content belongs to the previous
 * URL.
 */
export const hasLeftInitialUrl = (): boolean => {
  const [navigation] = performance.getEntriesByType('navigation');
  if (!navigation) return false;
  const { pathname, search } = new URL(navigation.name);
  return pathname !== window.location.pathname || search !== window.location.search;
};

/**
 * Keeps the application from starting if Back or Forward changed the URL before the router read it. The document is
 * then being reloaded, and a router with the new URL would overwrite what the tab has saved for that history entry.
 */
export const useDocumentUrl = (): void => {
  if (!hasStarted && hasLeftInitialUrl()) use(neverSettled);
};

/**
 * Starts listening to `popstate`, the event of Back and Forward. Must be called before the router is
 * created, because browsers call listeners in the order in which they were added. Until the application
 * has started, Back and Forward to another URL reload the page from that URL.
 */
export const listenToPopState = (): void =>
  window.addEventListener('popstate', (event) => {
    if (hasStarted && !isReloading) firstPopStateHandler?.(event);
    else if (isReloading || hasLeftInitialUrl()) {
      event.stopImmediatePropagation();
      isReloading = true;
      window.location.reload();
    }
  });
