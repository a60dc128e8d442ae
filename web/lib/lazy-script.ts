/** Messages shown when the script of a part of a page could not be loaded. */
export const lazyScriptMessages = {
  offline: 'You are offline. Please try again when you are connected.',
  failed: 'This could not be loaded. Please reload the page and try again.',
} as const;

/**
 * Imports a script that is not part of the page's first load. Offline and without a service worker it fails without a
 * request, because some browsers never retry a failed import on the same page; so a later call can succeed. Throws a
 * TypeError, as a failed import does, with the message to show.
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
