/** Shown for a part of a page whose script is missing. */
export const lazyScriptMessages = {
  offline: 'You are offline. Please try again when you are connected.',
  failed: 'This could not be loaded. Please reload the page and try again.',
} as const;

/**
 * Imports a script that is not part of the page's first load. Some browsers remember a failed import and never retry it
 * on the same page, so without a connection and without a service worker nothing is requested, and a later attempt works.
 * Throws a TypeError, like a failed import, with the message to show.
 */
export const importLazyScript = async <Script>(load: () => Promise<Script>): Promise<Script> => {
  if (navigator.onLine === false && !navigator.serviceWorker?.controller)
    throw new TypeError(lazyScriptMessages.offline);
  try {
    return await load();
  } catch (cause) {
    throw new TypeError(navigator.onLine === false ? lazyScriptMessages.offline : lazyScriptMessages.failed, {
      cause,
    });
  }
};
