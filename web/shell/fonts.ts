import figtreeLatin from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';

/** For the `links` of the root: the one font file every page needs, fetched with the first bytes. */
export const fontPreload = {
  rel: 'preload',
  href: figtreeLatin,
  as: 'font',
  type: 'font/woff2',
  crossOrigin: 'anonymous',
} as const;
