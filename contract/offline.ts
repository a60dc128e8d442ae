/** Paths, known to both sides, that make Quad installable and readable offline. */
export const offlineAddresses = {
  /** The service worker, at the root so that its scope is the whole site. */
  worker: '/sw.js',
  manifest: '/manifest.webmanifest',
  /** The fallback for a page that is not cached on this device. */
  page: '/offline',
} as const;

/** The site's home screen icons, drawn from the logo by the build. Sizes in pixels. */
export const siteIcons = [
  { path: '/icons/any-192.png', size: 192, purpose: 'any' },
  { path: '/icons/any-512.png', size: 512, purpose: 'any' },
  { path: '/icons/maskable-192.png', size: 192, purpose: 'maskable' },
  { path: '/icons/maskable-512.png', size: 512, purpose: 'maskable' },
] as const;

/** Colors of the browser's frame; the same values as in web/styles/tokens.css. */
export const frameColours = {
  brand: '#990000',
  brandInTheDark: '#391110',
  paper: '#faf5ea',
} as const;
