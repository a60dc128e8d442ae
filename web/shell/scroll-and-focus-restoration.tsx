import { useContext, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { UNSAFE_DataRouterContext, useLocation, useNavigation, useNavigationType } from 'react-router';
import { registerOverlay, startOverlayHistory } from '#web/ui/overlay-history.ts';
import { restoreHistoryEntryPosition, savePositionsOnNavigation } from './history-entry-position.ts';
import { recordInterruptedNavigation } from './interrupted-navigation.ts';

let isKeepingPosition = false;

/**
 * Restores scroll position and focus on Back, Forward and reload. Renders nothing. Must come after
 * the screen in the component tree, so that its effects run after the screen's effects.
 */
export function ScrollAndFocusRestoration() {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const location = useLocation();
  const isReturn = useNavigationType() === 'POP';
  const restoreFocus = useRef<() => void>(undefined);

  useLayoutEffect(() => {
    if (!router || isKeepingPosition) return;
    isKeepingPosition = true;
    startOverlayHistory(router);
    savePositionsOnNavigation(router);
    recordInterruptedNavigation(router);
  }, [router]);

  const { state } = useNavigation();
  const closePreviewOnBack = useEffectEvent(() => {
    const isPreview = document.querySelector('[data-opening-listing]') !== null;
    // The router may have opened the other page, which React has not rendered yet.
    if (!isPreview || router?.state.location.key !== location.key) return;
    const unregister = registerOverlay(() => {
      unregister();
      document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
    });
    return unregister;
  });
  // The preview of a page that is loading is part of every list, so what Back does is not.
  useLayoutEffect(() => (state === 'loading' ? closePreviewOnBack() : undefined), [state]);

  useLayoutEffect(() => {
    restoreFocus.current = isReturn ? restoreHistoryEntryPosition(location) : undefined;
  }, [location, isReturn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for every location
  useEffect(() => restoreFocus.current?.(), [location]);
  return null;
}
