/**
 * A script for the head of every page, which marks the document in browsers older than the oldest supported ones
 * (README): Chrome and Edge 111, Firefox 128, Safari 16.4. Those are the first with both of these features.
 */
export const oldBrowserScript =
  ";if(!window.CSS||!CSS.registerProperty||!CSS.supports('color','color-mix(in srgb,red,red)'))document.documentElement.dataset.outdated=''";
