import type { BrowserKey } from '#web/lib/stored-values.ts';

const visitedKey: BrowserKey = 'quad-visited';

/**
 * A script that runs in the head before the first paint and sets `data-returning` on <html> if this
 * browser has opened a page before. Styles use the attribute to show a page more compactly,
 * although its HTML is the same for everyone. If storage is blocked, every visit counts as the
 * first. The script's text is constant, so that one hash in the Content-Security-Policy covers it.
 */
export const returningVisitorScript = `;try{if(localStorage.getItem('${visitedKey}'))document.documentElement.dataset.returning='';else localStorage.setItem('${visitedKey}','1')}catch{}`;

/** Keeps `data-returning` when React renders <html> again after an error. */
export const preserveReturningVisitor = (): void => {
  const root = document.documentElement;
  if (root.dataset.returning === undefined) return;
  new MutationObserver(() => {
    if (root.dataset.returning === undefined) root.dataset.returning = '';
  }).observe(root, { attributeFilter: ['data-returning'] });
};
