/** Title and text shown instead of a page that can neither be fetched nor loaded from the cache. */
export const offlineNotice = {
  title: 'You are offline',
  text: 'You have not opened this page on this device before. It opens by itself as soon as you are connected again.',
} as const;
