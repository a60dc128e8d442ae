import { useContext, useEffect, useLayoutEffect, useRef } from 'react';
import { UNSAFE_DataRouterContext, useLocation, useNavigationType } from 'react-router';
import { startOverlayHistory } from '#web/ui/overlay-history.ts';
import { restoreHistoryEntryPosition, savePositionsOnNavigation } from './history-entry-position.ts';

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
  }, [router]);

  useLayoutEffect(() => {
    restoreFocus.current = isReturn ? restoreHistoryEntryPosition(location) : undefined;
  }, [location, isReturn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once for every location
  useEffect(() => restoreFocus.current?.(), [location]);
  return null;
}
