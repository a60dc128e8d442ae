let firstPopStateHandler: ((event: PopStateEvent) => void) | undefined;
let hasStarted = false;

/** Reports that the page has started, so that the router handles Back and Forward. */
export const reportPageStart = (): void => {
  hasStarted = true;
};

/**
 * Sets the function that handles Back and Forward before the router does. The function may stop the
 * event, so that the router does not receive it.
 */
export const handlePopStateFirst = (handle: (event: PopStateEvent) => void): void => {
  firstPopStateHandler = handle;
};

/**
 * Returns whether Back or Forward has changed the address since the server sent this document. Before
 * the page has started nothing displays the other address, and the document cannot be started at it.
 */
export const hasLeftLoadedAddress = (): boolean => {
  const [navigation] = performance.getEntriesByType('navigation');
  if (!navigation) return false;
  const { pathname, search } = new URL(navigation.name);
  return pathname !== window.location.pathname || search !== window.location.search;
};

/**
 * Starts listening to `popstate`, the event of Back and Forward. Must be called before the router
 * is created, because browsers call listeners in the order in which they were added. Until the page
 * has started, an event for another address loads that address.
 */
export const listenToPopState = (): void =>
  window.addEventListener('popstate', (event) => {
    if (hasStarted) firstPopStateHandler?.(event);
    else if (hasLeftLoadedAddress()) {
      event.stopImmediatePropagation();
      window.location.reload();
    }
  });
