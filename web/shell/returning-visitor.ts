import type { BrowserKey } from '#web/lib/stored-values.ts';

/** Session storage has the same key in the tab in which this browser opened its first page. */
const visitedKey: BrowserKey = 'quad-visited';

/**
 * A script that runs in the head before the first paint and sets `data-returning` on <html> if this
 * browser has opened a page in an earlier session. Styles use the attribute to show a page more compactly,
 * although its HTML is the same for everyone. If storage is blocked, every visit counts as the
 * first. The script's text is constant, so that one hash in the Content-Security-Policy covers it.
 */
export const returningVisitorScript = `;try{let k='${visitedKey}';if(!localStorage.getItem(k)){localStorage.setItem(k,'1');sessionStorage.setItem(k,'1')}else if(!sessionStorage.getItem(k))document.documentElement.dataset.returning=''}catch{}`;

/** Keeps `data-returning` when React renders <html> again after an error. */
export const preserveReturningVisitor = (): void => {
  const root = document.documentElement;
  if (root.dataset.returning === undefined) return;
  new MutationObserver(() => {
    if (root.dataset.returning === undefined) root.dataset.returning = '';
  }).observe(root, { attributeFilter: ['data-returning'] });
};
