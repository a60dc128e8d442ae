/** Messages to display when a lazily loaded script could not be loaded. */
export const lazyScriptMessages = {
  offline: 'You are offline. Please try again when you are connected.',
  failed: 'This could not be loaded. Please reload the page and try again.',
} as const;

/**
 * Imports a script that is not part of the page's first load. If the import fails, throws a TypeError whose
 * message can be shown to the person. If the device is offline and no service worker could serve the script,
 * throws without attempting the import: some browsers never retry a failed import on the same page, so a
 * later call could not succeed.
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
