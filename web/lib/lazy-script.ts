/** Said of a part of a page that cannot be shown. */
export const lazySentences = {
  offline: 'You are offline. Please try again when you are connected.',
  failed: 'This could not be loaded. Please reload the page and try again.',
} as const;

/**
 * Fetches a script that a page did not come with. Some browsers remember one that failed and never ask for it again
 * on the same page: where there is neither a connection nor a worker that keeps it, it is not asked for at all, and
 * asking later works. Throws a TypeError, as a failed import is one, with the sentence to say.
 */
export const lazyScript = async <Script>(load: () => Promise<Script>): Promise<Script> => {
  if (navigator.onLine === false && !navigator.serviceWorker?.controller)
    throw new TypeError(lazySentences.offline);
  try {
    return await load();
  } catch (cause) {
    throw new TypeError(navigator.onLine === false ? lazySentences.offline : lazySentences.failed, { cause });
  }
};
