/** Said in place of a page that cannot be fetched now and was never kept. */
export const offlineNotice = {
  title: 'You are offline',
  text: 'This page was not read on this device before. It opens by itself as soon as you are connected again.',
} as const;
