import figtreeLatin from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';

/** A `links` entry for the root route that preloads the font, which every page uses. */
export const fontPreloadLink = {
  rel: 'preload',
  href: figtreeLatin,
  as: 'font',
  type: 'font/woff2',
  crossOrigin: 'anonymous',
} as const;
