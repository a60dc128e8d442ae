import figtreeLatin from '@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url';

/** The preload link of the font that every page needs, for the root's `links`. */
export const fontPreload = {
  rel: 'preload',
  href: figtreeLatin,
  as: 'font',
  type: 'font/woff2',
  crossOrigin: 'anonymous',
} as const;
