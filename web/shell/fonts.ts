import figtreeLatin from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';

/** The entry for the root's `links` that preloads the font of every page. */
export const fontPreload = {
  rel: 'preload',
  href: figtreeLatin,
  as: 'font',
  type: 'font/woff2',
  crossOrigin: 'anonymous',
} as const;
