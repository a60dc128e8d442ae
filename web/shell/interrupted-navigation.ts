import type { DataRouter } from 'react-router';

const storageKey = 'quad.opening';

/**
 * Records where the router was going when the page ends. The router reloads the current page when the script of another
 * one cannot be loaded, for example because a new version has replaced it.
 */
export const recordInterruptedNavigation = (router: DataRouter): void =>
  window.addEventListener('pagehide', () => {
    const { location } = router.state.navigation;
    if (location) sessionStorage.setItem(storageKey, router.createHref(location));
  });

/**
 * A script in the head that opens the page to which the router was going when it reloaded this one. While a document is
 * loading, `location.assign` would replace its history entry.
 */
export const interruptedNavigationScript = `;(()=>{try{const path=sessionStorage.getItem('${storageKey}');if(!path)return;sessionStorage.removeItem('${storageKey}');if(performance.getEntriesByType('navigation')[0]?.type==='reload'){history.pushState(null,'',path);location.reload()}}catch{}})()`;
