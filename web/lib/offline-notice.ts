/** Shown in place of a page that cannot be fetched and is not cached. */
export const offlineNotice = {
  title: 'You are offline',
  text: 'This page was not read on this device before. It opens by itself as soon as you are connected again.',
} as const;
