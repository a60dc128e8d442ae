/**
 * Paths of the files that browsers need to install the site and to show it offline. Server and
 * browser both use these constants.
 */
export const offlinePaths = {
  /**
   * The service worker. It is at the root of the site, because a service worker controls only pages whose
   * paths begin with the path of its own folder.
   */
  worker: '/sw.js',
  manifest: '/manifest.webmanifest',
  /** The page shown when the requested page is neither reachable nor cached on this device. */
  page: '/offline',
} as const;

/** The icon that devices request which ignore the manifest. */
export const touchIconPath = '/apple-touch-icon.png';

/** Icons for the home screen, drawn from the logo in the color of the campus. Sizes are in pixels. */
export const siteIcons = [
  { path: '/icons/any-192.png', size: 192, purpose: 'any' },
  { path: '/icons/any-512.png', size: 512, purpose: 'any' },
  { path: '/icons/maskable-192.png', size: 192, purpose: 'maskable' },
  { path: '/icons/maskable-512.png', size: 512, purpose: 'maskable' },
] as const;

/**
 * Colors of the browser's own interface around the page (`theme-color`); keep them equal to those in
 * web/styles/tokens.css.
 */
export const themeColors = {
  brand: '#990000',
  brandDark: '#391110',
  paper: '#faf5ea',
} as const;

/** The detail of a push notification that replaces the one about a message that was unsent. */
export const unsentPushDetail = 'unsent';
