/** Addresses that both sides know of what makes Quad installable and readable without a connection. */
export const offlineAddresses = {
  /** The service worker; its place decides that it is in charge of the whole site. */
  worker: '/sw.js',
  manifest: '/manifest.webmanifest',
  /** What stands in for a page that was never read on this device. */
  page: '/offline',
} as const;

/** Pictures of the site on a home screen, drawn by the build from the logo. Sizes in pixels. */
export const siteIcons = [
  { path: '/icons/any-192.png', size: 192, purpose: 'any' },
  { path: '/icons/any-512.png', size: 512, purpose: 'any' },
  { path: '/icons/maskable-192.png', size: 192, purpose: 'maskable' },
  { path: '/icons/maskable-512.png', size: 512, purpose: 'maskable' },
] as const;

/** What the browser's own frame around the site is coloured in; web/styles/tokens.css holds the same values. */
export const frameColours = {
  brand: '#990000',
  brandInTheDark: '#391110',
  paper: '#faf5ea',
} as const;
